import type { ChangeEvent } from '../../src/kernel/events/contract.ts'

type EventStream = {
  /** Waits for the first matching event, among those received or to come. */
  next: (matches: (event: ChangeEvent) => boolean, within?: number) => Promise<ChangeEvent>
  received: readonly ChangeEvent[]
  /** Resolves when the server has ended the stream. */
  ended: (within: number) => Promise<void>
  close: () => void
}

/** Opens the event stream as a browser does. `replay`: milliseconds of past changes to repeat. */
export async function openStream(url: string, cookie: string, replay = 0): Promise<EventStream> {
  const abort = new AbortController()
  const response = await fetch(`${url}/api/events?replay=${replay}`, {
    headers: { cookie, accept: 'text/event-stream' },
    signal: abort.signal,
  })
  if (!response.ok || !response.body) throw new Error(`The event stream responded with ${response.status}`)
  const received: ChangeEvent[] = []
  const listeners = new Set<() => void>()
  let isEnded = false
  const notifyListeners = () => {
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
        if (data && /^event: message$/m.test(message)) received.push(JSON.parse(data) as ChangeEvent)
      }
      notifyListeners()
    }
  }
  void read(response.body)
    .catch(() => {})
    .finally(() => {
      isEnded = true
      notifyListeners()
    })

  const wait = <Answer>(read: () => Answer | undefined | false, within: number, message: string) =>
    new Promise<Answer>((resolve, reject) => {
      const done = () => {
        clearTimeout(timer)
        listeners.delete(check)
      }
      const check = () => {
        const result = read()
        if (result === undefined || result === false) return
        done()
        resolve(result)
      }
      const timer = setTimeout(() => {
        done()
        reject(new Error(`${message} within ${within} ms; received: ${JSON.stringify(received)}`))
      }, within)
      listeners.add(check)
      check()
    })

  await wait(() => received[0], 10_000, 'No connection event') // the first event confirms the connection; later changes are received
  return {
    received,
    next: (matches, within = 5_000) => wait(() => received.find((event) => matches(event)), within, 'No such event'),
    ended: async (within) => void (await wait(() => isEnded, within, 'The stream did not end')),
    close: () => abort.abort(),
  }
}
