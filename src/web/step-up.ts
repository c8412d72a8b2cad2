import { useSyncExternalStore } from 'react'

/** Some deeds are refused until the person has proved once more who they are. The page asks them, and then the call goes out again by itself. */
let asked: PromiseWithResolvers<boolean> | null = null
const watchers = new Set<() => void>()
const tell = () => {
  for (const watch of watchers) watch()
}

/** Asks for a proof; several calls that wait for one are asked together. False: the person would rather not. */
function askForProof(): Promise<boolean> {
  asked ??= Promise.withResolvers()
  tell()
  return asked.promise
}

/** What the dialog answers. */
export function settleProof(isProven: boolean): void {
  asked?.resolve(isProven)
  asked = null
  tell()
}

/** Whether a proof is asked for. */
export function useProofAsked(): boolean {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => asked !== null,
  )
}

/** Sends a request, and once more after a proof where one was missing. */
export async function sendProving(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
  const again = request.clone()
  const answer = await send(request)
  if (answer.status !== 403) return answer
  const { code } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { code?: unknown }
  return code === 'STEP_UP_REQUIRED' && (await askForProof()) ? send(again) : answer
}
