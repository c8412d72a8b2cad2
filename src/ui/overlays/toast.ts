/** Shows a toast from anywhere. The toaster itself (sonner) is loaded with the first toast, so pages without toasts do not load it. */
export interface ToastMessage {
  kind: 'success' | 'error' | 'info'
  title: string
  description?: string
  /** `keys`: the shortcut for the same action, shown next to the label. */
  action?: { label: string; onPress: () => void; keys?: string }
  /** Success with Undo: 10 s, paused on hover and focus. */
  undo?: boolean
  /** Spec 4: one generic toast at a time; the next replaces it. */
  single?: boolean
}

/** Returns a function that dismisses the toast. */
type Show = (message: ToastMessage) => () => void

let shown: Promise<Show> | undefined
let waiting: ((element: Show) => void) | undefined
const asked = new Set<() => void>()
let wanted = false

/** For ToastHost: called once for the first toast. */
export function onToasterNeeded(mount: () => void): () => void {
  if (wanted) mount()
  asked.add(mount)
  return () => asked.delete(mount)
}

/** For Toaster: registers the renderer once mounted. */
export function registerToaster(show: Show): void {
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

let endUndo: (() => void) | undefined

const kept = 'refyne.toast'

/** Shows what `toast.keep` stored before the page reloaded. */
export function showKeptToast(): void {
  const text = sessionStorage.getItem(kept)
  if (!text) return
  sessionStorage.removeItem(kept)
  const { title, description } = JSON.parse(text) as { title: string; description: string }
  toast.single('success', title, description)
}

export const toast = {
  success: (title: string, description?: string): void => void say({ kind: 'success', title, description }),
  /** Stays until closed. Returns a function that dismisses it once it no longer applies. */
  error: (title: string, description?: string, retry?: () => void): (() => void) =>
    say({ kind: 'error', title, description, action: retry && { label: 'Retry', onPress: retry } }),
  info: (title: string, description?: string): void => void say({ kind: 'info', title, description }),
  /** Returns a function that dismisses it once it can no longer be undone. */
  undoable: (title: string, onUndo: () => void, keys?: string) =>
    (endUndo = say({ kind: 'success', title, undo: true, action: { label: 'Undo', onPress: onUndo, keys } })),
  /** Dismisses the last offer to undo, after something that undoing would not take back. */
  endUndo: (): void => endUndo?.(),
  /** The generic toast: one at a time. */
  single: (kind: 'success' | 'error', title: string, description?: string): void => void say({ kind, title, description, single: true }),
  /** A success shown on the next page, if navigation reloads the document. */
  keep: (title: string, description: string) => sessionStorage.setItem(kept, JSON.stringify({ title, description })),
}
