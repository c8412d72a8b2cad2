import { useSyncExternalStore } from 'react'
import { type ProofAction, proofActions } from '../../kernel/access/policy.ts'

/** Some actions are refused until the person has proved once more who they are. The page asks them, and then the call goes out again by itself. */
let asked: (PromiseWithResolvers<boolean> & { action: ProofAction }) | null = null
const watchers = new Set<() => void>()
const tell = () => {
  for (const watch of watchers) watch()
}

/** Asks for a proof; several calls that wait for one are asked together, by the name of the first. False: the person would rather not. */
function askForProof(action: ProofAction): Promise<boolean> {
  asked ??= { ...Promise.withResolvers<boolean>(), action }
  tell()
  return asked.promise
}

/** What the dialog answers. */
export function settleProof(isProven: boolean): void {
  asked?.resolve(isProven)
  asked = null
  tell()
}

/** What a proof is asked for; null while none is. */
export function useProofAsked(): ProofAction | null {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => asked?.action ?? null,
  )
}

/** Sends the request of a call, and once more after a proof where one was missing. */
export async function sendProving(call: string, request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
  const again = request.clone()
  const answer = await send(request)
  if (answer.status !== 403) return answer
  const { code } = (await answer
    .clone()
    .json()
    .catch(() => ({}))) as { code?: unknown }
  return code === 'STEP_UP_REQUIRED' && (await askForProof(actionOf(call, request))) ? send(again) : answer
}

/** What a call is about to do; the one that only asks for a proof says it in its address. */
function actionOf(call: string, request: Request): ProofAction {
  const name = (call === 'auth.proof' && new URL(request.url).searchParams.get('action')) || call
  return Object.hasOwn(proofActions, name) ? (name as ProofAction) : 'auth.proof'
}
