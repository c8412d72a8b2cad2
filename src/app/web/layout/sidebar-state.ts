import { useState } from 'react'

const cookie = 'sidebar_state'
/** Spec 9: kept for 7 days. */
const maxAge = 7 * 24 * 60 * 60

function readOpen(): boolean {
  return !document.cookie.split('; ').includes(`${cookie}=false`)
}

export function useSidebarState(): [open: boolean, toggle: () => void] {
  const [open, setOpen] = useState(readOpen)
  return [
    open,
    () => {
      const next = !open
      document.cookie = `${cookie}=${next}; path=/; max-age=${maxAge}; samesite=lax`
      setOpen(next)
    },
  ]
}
