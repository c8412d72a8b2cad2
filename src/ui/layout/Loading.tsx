/** Spec 2: shown by the guard while the session loads. */
export function Loading() {
  return (
    <div role="status" className="flex min-h-dvh items-center justify-center text-sm text-fg-3">
      Loading...
    </div>
  )
}
