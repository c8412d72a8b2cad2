import type { ChangeEvent } from '../src/kernel/events/contract.ts'

type EventStream = {
  /** Waits for the first event that matches, of those heard already or still to come. */
  next: (matches: (event: ChangeEvent) => boolean, within?: number) => Promise<ChangeEvent>
  heard: readonly ChangeEvent[]
  /** Settles when the server has ended the stream; tells how many milliseconds after `since`. */
  ended: (within: number) => Promise<void>
  close: () => void
}

/** Opens the event stream as a browser does; `replay`: milliseconds, of which the changes are told again. */
export async function openStream(url: string, cookie: string, replay = 0): Promise<EventStream> {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/events?replay=${replay}`, {
    headers: { cookie, accept: 'text/event-stream' },
    signal: abort.signal,
  })
  if (!response.ok || !response.body) throw new Error(`The event stream answered ${response.status}`)
  const heard: ChangeEvent[] = []
  const listeners = new Set<() => void>()
  let over = false
  const tell = () => {
    for (const listener of listeners) listener()
  }

  const read = async (body: ReadableStream<Uint8Array>) => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) {
        const data = /^data: (\{.*\})$/m.exec(message)?.[1]
        if (data && /^event: message$/m.test(message)) heard.push(JSON.parse(data) as ChangeEvent)
      }
      tell()
    }
  }
  void read(response.body)
    .catch(() => {})
    .finally(() => {
      over = true
      tell()
    })

  const wait = <Answer>(ask: () => Answer | undefined | false, within: number, what: string) =>
    new Promise<Answer>((resolve, reject) => {
      const done = () => {
        clearTimeout(timer)
        listeners.delete(look)
      }
      const look = () => {
        const answer = ask()
        if (answer === undefined || answer === false) return
        done()
        resolve(answer)
      }
      const timer = setTimeout(() => {
        done()
        reject(new Error(`${what} within ${within} ms; heard: ${JSON.stringify(heard)}`))
      }, within)
      listeners.add(look)
      look()
    })

  await wait(() => heard[0], 10_000, 'The stream said nothing') // it says that it is connected; changes from then on are heard
  return {
    heard,
    next: (matches, within = 5_000) => wait(() => heard.find((event) => matches(event)), within, 'No such event'),
    ended: async (within) => void (await wait(() => over, within, 'The stream did not end')),
    close: () => abort.abort(),
  }
}
