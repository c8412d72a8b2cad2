import { type ComponentType, type ReactNode, useState } from 'react'
import { ErrorState } from './display/EmptyState.tsx'
import { SkeletonRows } from './display/Skeleton.tsx'
import { type Loadable, loadable, useLoaded } from './hooks/useLoaded.ts'

interface Part<P> {
  (props: P): ReactNode
  /** Preloads its code. */
  prepare: () => void
}

const rows = <SkeletonRows rows={3} rowClassName="border-b-0" />

/** A part of a page, such as a tab's content, loaded when shown. On failure it says so and can be retried. `loading` has the size of the part. */
export function lazySection<P extends object>(fetchCode: () => Promise<ComponentType<P>>, loading: ReactNode = rows): Part<P> {
  const code = loadable(async () => ({ Shown: await fetchCode() }))
  function Lazy(props: P) {
    const [attempt, setAttempt] = useState(0)
    return <Attempt key={attempt} code={code} props={props} loading={loading} onRetry={() => setAttempt(attempt + 1)} />
  }
  return Object.assign(Lazy, { prepare: code.prepare })
}

interface AttemptProps<P> {
  code: Loadable<{ Shown: ComponentType<P> }>
  props: P
  loading: ReactNode
  onRetry: () => void
}

function Attempt<P extends object>({ code, props, loading, onRetry }: AttemptProps<P>) {
  const [hasFailed, setFailed] = useState(false)
  const loaded = useLoaded(code, () => setFailed(true))
  if (loaded) return <loaded.Shown {...props} />
  return hasFailed ? (
    <ErrorState title="Couldn’t load this" onRetry={onRetry}>
      If this keeps happening, reload the page.
    </ErrorState>
  ) : (
    loading
  )
}
