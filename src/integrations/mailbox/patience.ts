/** Waiting for others, and not for ever. */

class TooLate extends Error {}

/** @throws when it takes longer; what is waited for goes on unheard. */
export async function inTime<Value>(work: Promise<Value>, seconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate('No answer in time')), seconds * 1_000)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The same bytes; the stream breaks when none come for so long. A large file on a slow line may take its time. */
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
