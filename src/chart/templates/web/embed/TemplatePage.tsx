import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf, statusOf } from '../../../../ui/client/api.ts'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'

interface TemplatePageProps<Template> {
  /** The section of the settings that lists the templates. */
  section: string
  /** 'form', and 'forms' */
  noun: string
  nouns: string
  query: { data: Template | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  children: (template: Template) => ReactNode
}

/** A template is loaded once: what others change while it is edited shows as a conflict. */
export const loadedOnce = {
  staleTime: 0,
  refetchOnReconnect: false,
  refetchOnWindowFocus: false,
  retry: (_count: number, error: Error) => statusOf(error) === 0,
} as const

/** The page of a template in the settings, with the way back to the list. */
export function TemplatePage<Template>({ section, noun, nouns, query, children }: TemplatePageProps<Template>) {
  const { data, error } = query
  return (
    <div className="flex max-w-300 flex-col gap-2">
      <Link
        to="/settings/$section"
        params={{ section }}
        className="-ml-1 inline-flex h-11 items-center gap-1 self-start rounded-md pr-2 text-sm text-fg-2 hover:text-fg"
      >
        <ChevronLeft aria-hidden="true" /> All {nouns}
      </Link>
      {data ? (
        children(data)
      ) : error && (statusOf(error) === 404 || statusOf(error) === 422) ? (
        <EmptyState title={`${noun[0]!.toUpperCase()}${noun.slice(1)} not found`}>The address is wrong.</EmptyState>
      ) : error ? (
        <ErrorState title={`Couldn’t load the ${noun}`} onRetry={() => void query.refetch()} retrying={query.isFetching}>
          {messageOf(error)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={6} />
      )}
    </div>
  )
}
