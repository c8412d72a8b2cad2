import { Component, Suspense, type ReactNode } from 'react'
import { ErrorState } from '../display/EmptyState.tsx'
import { SkeletonRows } from '../display/Skeleton.tsx'

/** In place of a page that failed; with the router's own boundaries as well. */
export function PageFailed() {
  return (
    // A page that did not load stays failed in this tab: its code may have been replaced by a newer version.
    <ErrorState title="Couldn’t load this page" onRetry={() => location.reload()}>
      The connection was lost, or a new version has arrived. What was saved is safe.
    </ErrorState>
  )
}

interface PageBoundaryProps {
  /** In place of the page while its code comes. */
  fallback?: ReactNode
  /** The path: the next page must not show the failure of the one before. */
  path?: string
  children: ReactNode
}

interface State {
  failed: boolean
  path: string | undefined
}

/** Around each page: a page that fails leaves the rest standing. */
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
