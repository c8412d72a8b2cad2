import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { FileQuestion } from 'lucide-react'
import { messageOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { useLive } from '../../../ui/client/live.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import type { StepProps } from './calls.ts'
import { CheckStep } from './CheckStep.tsx'
import { ImportGuard } from './ImportGuard.tsx'
import { MappingStep } from './MappingStep.tsx'
import { ResultStep } from './ResultStep.tsx'
import { WorkingStep } from './WorkingStep.tsx'

/** /contacts/import/{id}: one import, at whatever step it is. */
export default function ImportPage() {
  return (
    <ImportGuard>
      <OneImport />
    </ImportGuard>
  )
}

function OneImport() {
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
      {!data && error && statusOf(error) === 404 && <NoSuchImport />}
      {!data && error && statusOf(error) !== 404 && (
        <ErrorState title="Couldn’t load this import" onRetry={() => void refetch()} retrying={isRefetching} className="my-auto">
          {messageOf(error)} What was imported is safe.
        </ErrorState>
      )}
      {!data && !error && <SkeletonRows rows={8} />}
      {data && (
        // A step begins again when the import has moved on to it.
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

function NoSuchImport() {
  return (
    <EmptyState
      icon={<FileQuestion />}
      title="This import does not exist"
      className="my-auto pb-24"
      actions={
        <Button asChild>
          <Link to="/contacts/import">Import a file</Link>
        </Button>
      }
    >
      It may belong to someone else, or be older than 30 days.
    </EmptyState>
  )
}
