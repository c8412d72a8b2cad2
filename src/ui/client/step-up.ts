import { useSyncExternalStore } from 'react'
import { type ProofAction, proofActions } from '../../kernel/access/proof-policy.ts'

/** Protected actions are refused without recent re-authentication. The page asks for it and repeats the call automatically. */
let asked: (PromiseWithResolvers<boolean> & { action: ProofAction }) | null = null
const watchers = new Set<() => void>()
const notifyListeners = () => {
  for (const watch of watchers) watch()
}

/** Requests re-authentication; simultaneous calls share one prompt, named by the first. False if the user cancels. */
function askForProof(action: ProofAction): Promise<boolean> {
  asked ??= { ...Promise.withResolvers<boolean>(), action }
  notifyListeners()
  return asked.promise
}

/** Resolves with the dialog's result. */
export function resolveProof(isProven: boolean): void {
  asked?.resolve(isProven)
  asked = null
  notifyListeners()
}

/** The pending action; null if none. */
export function usePendingProof(): ProofAction | null {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => asked?.action ?? null,
  )
}

/** Sends a call, and repeats it after re-authentication if required. */
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

/** The action of a call; the call that only checks re-authentication has it in its address. */
function actionOf(call: string, request: Request): ProofAction {
  const name = (call === 'auth.proof' && new URL(request.url).searchParams.get('action')) || call
  return Object.hasOwn(proofActions, name) ? (name as ProofAction) : 'auth.proof'
}
