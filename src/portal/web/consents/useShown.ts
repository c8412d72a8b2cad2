import { useEffect, useState } from 'react'

/** Which clauses were on the screen down to their last line, in their order. Their ends are marked by ConsentClauses. */
export function useShown(clauseIds: readonly string[]): string[] {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      const ids = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target.getAttribute('data-clause-end')!)
      if (ids.length > 0) setShown((before) => new Set([...before, ...ids]))
    })
    for (const end of document.querySelectorAll('[data-clause-end]')) observer.observe(end)
    return () => observer.disconnect()
  }, [])
  return clauseIds.filter((id) => shown.has(id))
}
