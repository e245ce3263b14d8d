// Types of the modules that web_fetch is measured against, which come without: only what is used of them.
declare module "turndown" {
  export default class TurndownService {
    constructor(options?: { headingStyle?: "atx"; codeBlockStyle?: "fenced" });
    use(plugin: (service: TurndownService) => void): this;
    turndown(html: string): string;
  }
}

declare module "@joplin/turndown-plugin-gfm" {
  import type TurndownService from "turndown";
  export const gfm: (service: TurndownService) => void;
}
