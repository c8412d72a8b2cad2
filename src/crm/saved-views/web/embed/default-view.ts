const key = 'refyne.list-view'

/** The view that opens by default, stored in this browser; null for all patients. */
export const defaultView = (): string | null => localStorage.getItem(key)

export function setDefaultView(id: string | null): void {
  if (id === null) localStorage.removeItem(key)
  else localStorage.setItem(key, id)
}
