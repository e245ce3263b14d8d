// Bodies are converted in a thread of its own, which is a bundle of its own beside the plugin.
export const workers = ["src/page/convert-worker.ts"];
