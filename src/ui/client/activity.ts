import { client } from './api.ts'
import { setLife } from './session.ts'

/** Milliseconds: minimum interval between activity reports to the server. */
const every = 30_000
const actions = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

let sentAt = 0
let waiting: ReturnType<typeof setTimeout> | undefined

/** Reports user activity. Failing is harmless: the next action reports it again, and an ended session is noticed elsewhere. */
export async function sendActivity(): Promise<void> {
  clearTimeout(waiting)
  waiting = undefined
  sentAt = Date.now()
  try {
    setLife(await client.auth.activity())
  } catch {
    // See above.
  }
}

function note(): void {
  if (waiting) return
  const due = sentAt + every - Date.now()
  if (due <= 0) void sendActivity()
  else waiting = setTimeout(() => void sendActivity(), due)
}

/** Reports pointer, keyboard and touch input as activity, which extends the session; automatic page updates do not. */
export function watchActivity(): () => void {
  for (const action of actions) window.addEventListener(action, note, { capture: true, passive: true })
  return () => {
    for (const action of actions) window.removeEventListener(action, note, { capture: true })
    clearTimeout(waiting)
    waiting = undefined
  }
}
