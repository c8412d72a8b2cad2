import { client } from './api.ts'
import { setLife } from './session.ts'

/** Milliseconds: the server hears of what someone does this often at most. */
const every = 30_000
const actions = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

let sentAt = 0
let waiting: ReturnType<typeof setTimeout> | undefined

/** Tells the server that someone is here. Failing is no harm: the next action tells it again, and a session that is over is noticed elsewhere. */
export async function sendActivity(): Promise<void> {
  clearTimeout(waiting)
  waiting = undefined
  sentAt = Date.now()
  try {
    setLife(await client.auth.activity())
  } catch {
    // As said above.
  }
}

function note(): void {
  if (waiting) return
  const due = sentAt + every - Date.now()
  if (due <= 0) void sendActivity()
  else waiting = setTimeout(() => void sendActivity(), due)
}

/** What a person does on the page keeps their session: a hand on the mouse, a key, a finger; nothing that the page does by itself. */
export function watchActivity(): () => void {
  for (const action of actions) window.addEventListener(action, note, { capture: true, passive: true })
  return () => {
    for (const action of actions) window.removeEventListener(action, note, { capture: true })
    clearTimeout(waiting)
    waiting = undefined
  }
}
