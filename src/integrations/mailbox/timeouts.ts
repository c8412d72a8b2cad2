/** Timeouts for promises and streams. */

class TooLate extends Error {}

/** @throws on timeout; the operation continues, and its result is ignored. */
export async function inTime<Value>(work: Promise<Value>, seconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate('No response in time')), seconds * 1_000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The same bytes; the stream fails when none arrive for this long. A large file on a slow connection may take longer in total. */
export function patient(stream: ReadableStream<Uint8Array>, seconds: number): ReadableStream<Uint8Array> {
  const reader = stream.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await inTime(reader.read(), seconds)
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(error)
        await reader.cancel(error).catch(() => undefined)
      }
    },
    async cancel(reason) {
      await reader.cancel(reason)
    },
  })
}
