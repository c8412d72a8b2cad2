/** Maximum size of one text in bytes of UTF-8, enough for a row. */
const blockSize = 4 * 1024 * 1024

/**
 * Stores millions of texts in little memory, as UTF-8 in blocks outside the heap. As strings, each would keep the chunk of the file alive
 * that it was sliced from. A text must fit into a block.
 */
export class TextList {
  readonly #blocks: Buffer[] = []
  /** The offset of each text across all blocks, and its size in bytes. */
  readonly #starts: number[] = []
  readonly #sizes: number[] = []
  #used = blockSize

  get length(): number {
    return this.#starts.length
  }

  add(text: string): void {
    const size = Buffer.byteLength(text)
    if (this.#used + size > blockSize) {
      this.#blocks.push(Buffer.allocUnsafe(blockSize))
      this.#used = 0
    }
    this.#blocks.at(-1)!.write(text, this.#used)
    this.#starts.push((this.#blocks.length - 1) * blockSize + this.#used)
    this.#sizes.push(size)
    this.#used += size
  }

  at(index: number): string | undefined {
    const start = this.#starts[index]
    if (start === undefined) return undefined
    const from = start % blockSize
    return this.#blocks[Math.floor(start / blockSize)]!.toString('utf8', from, from + this.#sizes[index]!)
  }
}
