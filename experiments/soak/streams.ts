import { openStream } from '../../test/network/stream.ts'

/** Milliseconds of changes that a page asks for again when it reconnects. */
const replay = 30_000
const receiveWithin = 15_000

/** An open page: its event stream is cut, and it opens another. */
export async function openPage(url: string, cookie: string) {
  let stream = await openStream(url, cookie)
  return {
    async reconnect(): Promise<void> {
      stream.close()
      stream = await openStream(url, cookie, replay)
    },
    /** Whether the page learns of the change of this record. */
    receives: (id: string): Promise<boolean> =>
      stream
        .next((event) => event.id === id, receiveWithin)
        .then(
          () => true,
          () => false,
        ),
    close: () => stream.close(),
  }
}
