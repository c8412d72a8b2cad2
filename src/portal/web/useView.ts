import { useSyncExternalStore } from 'react'

const views = /^(|home|documents|quotes|messages|receipts|photos|(form|consent|instructions|quote)-[0-9a-f-]{36})$/
let current = ''

/** Links to a question of a form are in the address too: then the form stays. */
function read(): string {
  const named = location.hash.slice(1)
  if (views.test(named)) current = named
  return current
}

function subscribe(changed: () => void) {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

/** The part of the portal that is shown, from the address, so that the browser's back button moves between them. */
export const useView = (first: string): string => useSyncExternalStore(subscribe, read) || first

export function showView(view: string): void {
  location.hash = view
}
