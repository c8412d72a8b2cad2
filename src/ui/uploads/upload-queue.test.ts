import { describe, expect, it, vi } from 'vitest'
import { UploadQueue, type UploadSteps } from './upload-queue.ts'

const file = (name: string) => new File(['x'], name)
const settled = () => new Promise((resolve) => setTimeout(resolve))

/** A queue whose uploads are resolved manually, by file name. */
function open(steps: Partial<UploadSteps<string>> = {}) {
  const sending = new Map<
    string,
    { resolve: () => void; reject: (error: Error) => void; progress: (part: number) => void; signal: AbortSignal }
  >()
  const order: string[] = []
  const queue = new UploadQueue<string>({
    refuse: () => null,
    send: ({ name }, _, progress, signal) =>
      new Promise<void>((resolve, reject) => {
        order.push(name)
        sending.set(name, { resolve, reject, progress, signal })
        signal.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
      }),
    arrived: () => Promise.resolve(),
    failed: () => undefined,
    ...steps,
  })
  const states = () => queue.snapshot().map(({ file, state }) => `${file.name} ${state}`)
  return { queue, sending, order, states }
}

describe('the upload queue', () => {
  it('uploads three at a time in order, starting the next when one finishes', async () => {
    const { queue, sending, order, states } = open()
    queue.add(['a', 'b', 'c', 'd', 'e'].map(file), 'patient')
    expect(order).toEqual(['a', 'b', 'c'])
    expect(states()).toEqual(['a sending', 'b sending', 'c sending', 'd waiting', 'e waiting'])
    sending.get('b')!.resolve()
    await settled()
    expect(order).toEqual(['a', 'b', 'c', 'd'])
    expect(states()).toEqual(['a sending', 'c sending', 'd sending', 'e waiting'])
  })

  it('reports a failure with its reason, continues with the others, and retries on request', async () => {
    const failed = vi.fn<() => void>()
    const { queue, sending, order, states } = open({ failed })
    queue.add(['a', 'b'].map(file), 'patient')
    sending.get('a')!.reject(new Error('This file is damaged'))
    sending.get('b')!.resolve()
    await settled()
    expect(queue.snapshot()).toMatchObject([{ state: 'failed', reason: 'This file is damaged', mayRetry: true }])
    expect(failed).toHaveBeenCalledTimes(1)
    queue.retry(queue.snapshot()[0]!.key)
    expect(states()).toEqual(['a sending'])
    expect(order).toEqual(['a', 'b', 'a'])
    sending.get('a')!.resolve()
    await settled()
    expect(states()).toEqual([])
  })

  it('never sends invalid files', () => {
    const { queue, order } = open({ refuse: ({ name }) => (name === 'a' ? 'No' : null) })
    queue.add(['a', 'b'].map(file), 'patient')
    expect(order).toEqual(['b'])
    expect(queue.snapshot()[0]).toMatchObject({ state: 'failed', reason: 'No', mayRetry: false })
    expect(queue.isBusy).toBe(true)
  })

  it('removes a cancelled upload silently and frees its slot', async () => {
    const failed = vi.fn<() => void>()
    const { queue, sending, order, states } = open({ failed })
    queue.add(['a', 'b', 'c', 'd'].map(file), 'patient')
    queue.remove(queue.snapshot()[0]!.key)
    await settled()
    expect(sending.get('a')!.signal.aborted).toBe(true)
    expect(order).toEqual(['a', 'b', 'c', 'd'])
    expect(states()).toEqual(['b sending', 'c sending', 'd sending'])
    queue.remove(queue.snapshot()[0]!.key)
    queue.remove(queue.snapshot()[0]!.key)
    queue.remove(queue.snapshot()[0]!.key)
    await settled()
    expect(queue.isBusy).toBe(false)
    expect(failed).not.toHaveBeenCalled()
  })

  it('keeps a finished upload until its row is shown, and notifies subscribers of each step', async () => {
    const row = Promise.withResolvers<void>()
    const { queue, sending, states } = open({ arrived: () => row.promise })
    const seen = vi.fn<() => void>()
    const leave = queue.subscribe(seen)
    queue.add([file('a')], 'patient')
    sending.get('a')!.progress(0.5)
    expect(queue.snapshot()[0]!.part).toBe(0.5)
    sending.get('a')!.resolve()
    await settled()
    expect(states()).toEqual(['a sending'])
    row.resolve()
    await settled()
    expect(states()).toEqual([])
    const calls = seen.mock.calls.length
    leave()
    queue.add([file('b')], 'patient')
    expect(seen.mock.calls.length).toBe(calls)
  })
})
