import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { FileQuestion } from 'lucide-react'
import { messageOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useLive } from '../../../ui/client/live.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import type { StepProps } from './upload-table.ts'
import { CheckStep } from './CheckStep.tsx'
import { ImportGuard } from './ImportGuard.tsx'
import { MappingStep } from './MappingStep.tsx'
import { ResultStep } from './ResultStep.tsx'
import { WorkingStep } from './WorkingStep.tsx'

/** /contacts/import/{id}: one import at its current step. */
export default function ImportPage() {
  return (
    <ImportGuard>
      <ImportSteps />
    </ImportGuard>
  )
}

function ImportSteps() {
  const { id } = useParams({ from: '/staff/contacts/import/$id' })
  const cache = useQueryClient()
  const options = orpc.imports.get.queryOptions({ input: { id }, staleTime: 0 })
  const { data, error, refetch, isRefetching } = useQuery(options)
  useLive(['import'], (ids) => {
    if (ids === null || ids.has(id)) void cache.invalidateQueries({ queryKey: orpc.imports.key() })
  })
  const title = data?.fileName ?? 'Import'
  return (
    <>
      <TopbarTitle title={title} crumbs={[{ label: 'Import', link: { to: '/contacts/import' } }, { label: title }]} section="Import" />
      {!data && error && statusOf(error) === 404 && <ImportNotFound />}
      {!data && error && statusOf(error) !== 404 && (
        <ErrorState title="Couldn’t load this import" onRetry={() => void refetch()} retrying={isRefetching} className="my-auto">
          {messageOf(error)} Imported records are safe.
        </ErrorState>
      )}
      {!data && !error && <SkeletonRows rows={8} />}
      {data && (
        // The key resets the step's state when the status changes.
        <Step key={data.status} data={data} onChanged={(next) => cache.setQueryData(options.queryKey, next)} />
      )}
    </>
  )
}

function Step(props: StepProps) {
  switch (props.data.status) {
    case 'mapping':
      return <MappingStep {...props} />
    case 'checked':
      return <CheckStep {...props} />
    case 'checking':
    case 'running':
    case 'undoing':
      return <WorkingStep {...props} />
    default:
      return <ResultStep {...props} />
  }
}

function ImportNotFound() {
  return (
    <EmptyState
      icon={<FileQuestion />}
      title="Import not found"
      className="my-auto pb-24"
      actions={
        <Button asChild>
          <Link to="/contacts/import">Import a file</Link>
        </Button>
      }
    >
      It may belong to someone else or be older than 30 days.
    </EmptyState>
  )
}
