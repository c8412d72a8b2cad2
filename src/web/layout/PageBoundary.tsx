import { Component, Suspense, type ReactNode } from 'react'
import { ErrorState } from '../ui/EmptyState.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'

interface PageBoundaryProps {
  /** In place of the page while its code comes. */
  fallback?: ReactNode
  children: ReactNode
}

/** Around each page: a page that fails leaves the rest standing. Give it the path as its key, or the next page would show the old failure. */
export class PageBoundary extends Component<PageBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (this.state.failed) {
      return (
        // A page that did not load stays failed in this tab: its code may have been replaced by a newer version.
        <ErrorState title="This page did not load" onRetry={() => location.reload()}>
          The connection was lost, or a new version has arrived. What was saved is safe.
        </ErrorState>
      )
    }
    return <Suspense fallback={this.props.fallback ?? <SkeletonRows className="pt-12" />}>{this.props.children}</Suspense>
  }
}
