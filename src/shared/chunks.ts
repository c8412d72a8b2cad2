export type Chunk = { bytes: Uint8Array; isLast: boolean }

/** The bytes of a stream in chunks of `size`, but for the last, which is empty only when it is the only one. Each is good until the next is asked for. */
export async function* inChunks(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Chunk> {
  const buffer = new Uint8Array(size)
  let filled = 0
  for await (const part of source) {
    for (let taken = 0; taken < part.byteLength;) {
      if (filled === size) {
        yield { bytes: buffer, isLast: false }
        filled = 0
      }
      const piece = part.subarray(taken, taken + size - filled)
      buffer.set(piece, filled)
      filled += piece.byteLength
      taken += piece.byteLength
    }
  }
  yield { bytes: buffer.subarray(0, filled), isLast: true }
}
