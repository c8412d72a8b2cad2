/**
 * Says what happened, from anywhere. The toaster itself (sonner) is loaded with the first message, so a page that says nothing does not pay for it.
 */
export interface ToastMessage {
  kind: 'success' | 'error' | 'info'
  title: string
  description?: string
  /** `keys`: what does the same, shown beside the label. */
  action?: { label: string; onPress: () => void; keys?: string }
  /** Success with Undo: 10 s, paused while the pointer or the focus is on it. */
  undo?: boolean
  /** Spec 4: the generic toast holds one at a time; the next replaces it. */
  single?: boolean
}

/** Answers how to take the message away again. */
type Show = (message: ToastMessage) => () => void

let shown: Promise<Show> | undefined
let waiting: ((element: Show) => void) | undefined
const asked = new Set<() => void>()
let wanted = false

/** For ToastHost: called once when the first message is on its way. */
export function whenToasterIsWanted(mount: () => void): () => void {
  if (wanted) mount()
  asked.add(mount)
  return () => asked.delete(mount)
}

/** For Toaster: hands over how to show a message, once it stands in the page. */
export function toasterIsReady(show: Show): void {
  waiting?.(show)
}

function say(message: ToastMessage): () => void {
  wanted = true
  shown ??= new Promise((resolve) => {
    waiting = resolve
  })
  for (const mount of asked) mount()
  const standing = shown.then((show) => show(message))
  return () => void standing.then((close) => close())
}

const kept = 'refyne.toast'

/** Shows what `toast.keep` left before the page was loaded again. */
export function showKeptToast(): void {
  const text = sessionStorage.getItem(kept)
  if (!text) return
  sessionStorage.removeItem(kept)
  const { title, description } = JSON.parse(text) as { title: string; description: string }
  toast.single('success', title, description)
}

export const toast = {
  success: (title: string, description?: string): void => void say({ kind: 'success', title, description }),
  /** Stays until it is closed. Answers how to take it away, once what it says is no longer so. */
  error: (title: string, description?: string, retry?: () => void): (() => void) =>
    say({ kind: 'error', title, description, action: retry && { label: 'Retry', onPress: retry } }),
  info: (title: string, description?: string): void => void say({ kind: 'info', title, description }),
  /** Answers how to take it away again, once it can no longer be undone. */
  undoable: (title: string, onUndo: () => void, keys?: string) =>
    say({ kind: 'success', title, undo: true, action: { label: 'Undo', onPress: onUndo, keys } }),
  /** The generic toast: one at a time. */
  single: (kind: 'success' | 'error', title: string, description?: string): void => void say({ kind, title, description, single: true }),
  /** A success that is said on the next page, when the way there loads the document again. */
  keep: (title: string, description: string) => sessionStorage.setItem(kept, JSON.stringify({ title, description })),
}
