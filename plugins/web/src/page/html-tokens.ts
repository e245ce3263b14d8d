// HTML as start tags, end tags and text, in one linear pass; comments, declarations and CDATA are passed over.
//
// htmlparser2's tokenizer is used without its parser, whose stack of open elements makes a deep page quadratic.
import { Tokenizer } from "htmlparser2";

/** Attributes of one element, and characters of one value, that are kept. */
const MAX_ATTRIBUTES = 64;
const MAX_VALUE_CHARACTERS = 8_192;

export type Attributes = ReadonlyMap<string, string>;

export interface TokenSink {
  /** Names are lower case, `written` as it stands there; entities are decoded. */
  startTag(name: string, attributes: Attributes, written: string): void;
  endTag(name: string): void;
  text(text: string): void;
}

/** Tells `sink` the tokens of `source`. */
export function readTokens(source: string, sink: TokenSink): void {
  let [written, attribute, value] = ["", "", ""];
  let attributes = new Map<string, string>();
  const addToValue = (part: string): void => {
    if (value.length < MAX_VALUE_CHARACTERS) value += part;
  };
  const startTag = (): void => sink.startTag(written.toLowerCase(), attributes, written);
  const ignored = (): void => {};
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => sink.text(source.slice(start, end)),
      ontextentity: (code) => sink.text(String.fromCodePoint(code)),
      onopentagname: (start, end) => {
        written = source.slice(start, end);
        attributes = new Map();
      },
      onattribname: (start, end) => {
        attribute = source.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata: (start, end) =>
        addToValue(source.slice(start, Math.min(end, start + MAX_VALUE_CHARACTERS))),
      onattribentity: (code) => addToValue(String.fromCodePoint(code)),
      onattribend: () => {
        if (attributes.size < MAX_ATTRIBUTES && !attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: startTag,
      onselfclosingtag: startTag,
      onclosetag: (start, end) => sink.endTag(source.slice(start, end).toLowerCase()),
      onend: ignored,
      oncdata: ignored,
      oncomment: ignored,
      ondeclaration: ignored,
      onprocessinginstruction: ignored,
    },
  );
  tokenizer.write(source);
  tokenizer.end();
}
