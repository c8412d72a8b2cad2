import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { messageOf, orpc, statusOf } from '../../../../ui/client/api.ts'
import { EmptyState, ErrorState } from '../../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../../ui/display/Skeleton.tsx'
import { FormEditor } from '../builder/FormEditor.tsx'

/** /settings/forms/{id}: the editor of a form. */
export function FormEditorPage({ id }: { id: string }) {
  const template = useQuery(
    orpc.forms.template.queryOptions({
      input: { id },
      staleTime: 0,
      refetchOnReconnect: false,
      refetchOnWindowFocus: false,
      retry: (_, error) => statusOf(error) === 0,
    }),
  )
  const { error } = template
  return (
    <div className="flex max-w-300 flex-col gap-2">
      <Link
        to="/settings/$section"
        params={{ section: 'forms' }}
        className="-ml-1 inline-flex h-11 items-center gap-1 self-start rounded-md pr-2 text-sm text-fg-2 hover:text-fg"
      >
        <ChevronLeft aria-hidden="true" /> All forms
      </Link>
      {template.data ? (
        <FormEditor template={template.data} />
      ) : error && (statusOf(error) === 404 || statusOf(error) === 422) ? (
        <EmptyState title="Form not found">The address is wrong.</EmptyState>
      ) : error ? (
        <ErrorState title="Couldn’t load the form" onRetry={() => void template.refetch()} retrying={template.isFetching}>
          {messageOf(error)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={6} />
      )}
    </div>
  )
}
