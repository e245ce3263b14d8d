// Types of modules that come without: only what is used of them.
declare module "html-encoding-sniffer" {
  export default function sniffEncoding(
    bytes: Uint8Array,
    options?: { transportLayerEncodingLabel?: string; defaultEncoding?: string; maxPrescanBytes?: number },
  ): string;
}

declare module "@mozilla/readability/JSDOMParser.js" {
  /** The small DOM that readability was made on; for strict markup only, such as `cleanHtml` writes. */
  export default class JSDOMParser {
    /** Empty where the markup was as it has to be. */
    readonly errorState: string;
    parse(html: string, url: string): import("./page/main-content.ts").ReadableDocument;
  }
}
