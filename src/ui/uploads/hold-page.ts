/** Asks before the page is closed while something would be lost. Returns what holds the page open, and lets it go. */
export function pageHold(): (isHeld: boolean) => void {
  const prevent = (event: BeforeUnloadEvent) => event.preventDefault()
  return (isHeld) => (isHeld ? addEventListener('beforeunload', prevent) : removeEventListener('beforeunload', prevent))
}
