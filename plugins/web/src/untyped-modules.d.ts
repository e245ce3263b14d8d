// Types of modules that come without: only what is used of them.
declare module "html-encoding-sniffer" {
  export default function sniffEncoding(
    bytes: Uint8Array,
    options?: { transportLayerEncodingLabel?: string; defaultEncoding?: string; maxPrescanBytes?: number },
  ): string;
}
