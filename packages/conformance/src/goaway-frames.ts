// HTTP/2 as bytes, for the one thing that a proper client cannot do: say goodbye as grpc-go does, with a GOAWAY that
// names a stream of the client's own (go-plugin-verified.md, section 8). Pure.

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const FRAME = { headers: 0x1, settings: 0x4, goaway: 0x7 } as const;
const END_HEADERS = 0x4;
const STREAM = 1;

/** The beginning of a connection with one open call of `path`: its request has no message and no end. */
export function openCall(path: string): Buffer {
  const headers = [
    [":method", "POST"],
    [":scheme", "http"],
    [":path", path],
    [":authority", "unused"],
    ["content-type", "application/grpc"],
    ["te", "trailers"],
  ] as const;
  const block = Buffer.concat(headers.map(([name, value]) => literal(name, value)));
  return Buffer.concat([
    Buffer.from(PREFACE),
    frame(FRAME.settings, 0, 0, Buffer.alloc(0)),
    frame(FRAME.headers, END_HEADERS, STREAM, block),
  ]);
}

/** The goodbye. */
export function goaway(): Buffer {
  const payload = Buffer.alloc(8);
  payload.writeUInt32BE(STREAM, 0);
  return frame(FRAME.goaway, 0, 0, payload);
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/** A header field that is neither indexed nor compressed (RFC 7541, 6.2.2); its parts are shorter than 127 bytes. */
function literal(name: string, value: string): Buffer {
  return Buffer.concat([
    Buffer.from([0x00, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);
}
