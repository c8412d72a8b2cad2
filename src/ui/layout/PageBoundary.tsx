import { Component, Suspense, type ReactNode } from 'react'
import { ErrorState } from '../display/EmptyState.tsx'
import { SkeletonRows } from '../display/Skeleton.tsx'

/** Replaces a page that failed; also used by the router's error boundaries. */
export function PageFailed() {
  return (
    // A page that failed to load stays failed in this tab: its code may have been replaced by a newer version.
    <ErrorState title="Couldn’t load this page" onRetry={() => location.reload()}>
      The connection was lost, or a new version has arrived. What was saved is safe.
    </ErrorState>
  )
}

interface PageBoundaryProps {
  /** Shown while the page's code loads. */
  fallback?: ReactNode
  /** The path: resets the failure on navigation. */
  path?: string
  children: ReactNode
}

interface State {
  failed: boolean
  path: string | undefined
}

/** Wraps each page: a failing page leaves the rest of the app working. */
export class PageBoundary extends Component<PageBoundaryProps, State> {
  override state: State = { failed: false, path: this.props.path }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  static getDerivedStateFromProps({ path }: PageBoundaryProps, state: State): State | null {
    return path === state.path ? null : { failed: false, path }
  }

  override render() {
    if (this.state.failed) return <PageFailed />
    return <Suspense fallback={this.props.fallback ?? <SkeletonRows className="pt-12" />}>{this.props.children}</Suspense>
  }
}
