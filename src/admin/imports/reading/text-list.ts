/** As long as one text may be, in bytes of UTF-8: that of a row. */
const blockSize = 4 * 1024 * 1024

/**
 * Millions of texts in little memory: their UTF-8 lies side by side in blocks outside of the heap. As strings each would keep alive the piece of
 * the file that it was cut from. A text must fit into a block.
 */
export class TextList {
  readonly #blocks: Buffer[] = []
  /** Where each text begins, counted through all blocks, and its bytes. */
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
