import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'

export default function NotFound() {
  useEffect(() => {
    document.title = 'Page not found'
  }, [])
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-3 bg-canvas px-4 text-center">
      <p className="text-sm font-medium text-fg-3 tabular-nums">404</p>
      <h1 className="text-xl font-semibold">Oops! Page not found</h1>
      <Link to="/" className="rounded-xs text-md font-medium text-accent-fg underline underline-offset-4 hover:text-accent-hover">
        Return to Home
      </Link>
    </main>
  )
}
