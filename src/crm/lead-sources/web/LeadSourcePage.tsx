import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { client, messageOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { MoveDialog } from '../../bulk-changes/web/embed/MoveDialog.tsx'
import { FieldMapping } from '../../leads/web/embed/FieldMapping.tsx'
import { LatestLeads } from '../../leads/web/embed/LatestLeads.tsx'
import { formatUses } from '../rules.ts'
import { type Source, IntakeSection } from './IntakeSection.tsx'

/** Settings of one source: name, intake URL, field mapping and recent leads. */
export function LeadSourcePage({ id }: { id: string }) {
  const cache = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const source = useQuery(
    orpc.leadSources.get.queryOptions({
      input: { id },
      // The live event about the source's own deletion may arrive before the page is left. The deleted source is not fetched again.
      enabled: !isDeleting,
      retry: (_, error) => statusOf(error) === 0,
    }),
  )
  useLive(['vocabulary', 'bulk-change'], () => void cache.invalidateQueries({ queryKey: orpc.leadSources.key() }), { debounceMs: 300 })
  return (
    <div className="flex max-w-(--measure) flex-col gap-8">
      <Link
        to="/settings/$section"
        params={{ section: 'lead-sources' }}
        className="-mb-6 -ml-1 inline-flex h-11 items-center gap-1 self-start rounded-md pr-2 text-sm text-fg-2 hover:text-fg"
      >
        <ChevronLeft aria-hidden="true" /> All lead sources
      </Link>
      {source.data ? (
        <>
          <Details key={`${source.data.name} ${source.data.thankYouUrl}`} source={source.data} />
          <IntakeSection source={source.data} />
          <FieldMapping source={source.data} />
          <LatestLeads sourceId={id} />
          <DeleteSection source={source.data} isDeleting={isDeleting} onDeleting={setDeleting} />
        </>
      ) : source.error ? (
        statusOf(source.error) === 404 || statusOf(source.error) === 422 ? (
          <EmptyState title="Lead source not found">It may have been deleted, or the URL is wrong.</EmptyState>
        ) : (
          <ErrorState title="Couldn’t load the lead source" onRetry={() => void source.refetch()} retrying={source.isFetching}>
            {messageOf(source.error)}
          </ErrorState>
        )
      ) : (
        <div role="status" aria-label="Loading" className="flex min-h-96 flex-col gap-4 py-5">
          <Skeleton className="w-40" />
          <Skeleton className="w-72 max-w-full" />
          <Skeleton className="w-56" />
        </div>
      )}
    </div>
  )
}

function Details({ source }: { source: Source }) {
  const cache = useQueryClient()
  const changesIn = ({ name, thankYouUrl }: { name: string; thankYouUrl: string }) => ({
    ...(name.trim() !== source.name && { name }),
    ...((thankYouUrl.trim() || null) !== source.thankYouUrl && { thankYouUrl }),
  })
  const form = useActionForm({
    initial: { name: source.name, thankYouUrl: source.thankYouUrl ?? '' },
    check: ({ name, thankYouUrl }) => ({
      name: name.trim() === '' ? 'Name is required' : undefined,
      thankYouUrl:
        thankYouUrl.trim() !== '' && !/^https?:\/\/\S+$/i.test(thankYouUrl.trim())
          ? 'Enter a web address that starts with http:// or https://'
          : undefined,
    }),
    refusals: { NAME_TAKEN: 'name' },
    send: (values) => client.leadSources.update({ id: source.id, ...changesIn(values) }),
    done: (saved) => `${saved.name} was saved`,
    onDone: () => void cache.invalidateQueries({ queryKey: orpc.leadSources.key() }),
  })
  const isDirty = Object.keys(changesIn(form.values)).length > 0
  const { problems } = form
  return (
    <section aria-labelledby="lead-source">
      <h2 id="lead-source" className="border-b border-line pb-3 text-lg font-semibold wrap-anywhere text-fg">
        {source.name}
      </h2>
      <Form form={form} className="flex flex-col gap-4 pt-4">
        {problems.form && (
          <p role="alert" className="text-sm text-danger-fg">
            {problems.form}
          </p>
        )}
        <Field label="Name" error={problems.name}>
          <Input {...form.text('name')} maxLength={100} autoComplete="off" />
        </Field>
        <Field label="Thank-you page" optional error={problems.thankYouUrl} hint="People who submit the form are redirected there.">
          <Input type="url" {...form.text('thankYouUrl')} maxLength={500} autoComplete="off" placeholder="https://" />
        </Field>
        <Button type="submit" variant="filled" className="self-start" disabled={!isDirty} busy={form.isBusy} busyLabel="Saving…">
          Save source
        </Button>
      </Form>
    </section>
  )
}

/** An unused source can be deleted. One in use can be retired, or deleted once its patients, leads and spend are moved to another. */
function DeleteSection({
  source,
  isDeleting,
  onDeleting,
}: {
  source: Source
  isDeleting: boolean
  onDeleting: (isDeleting: boolean) => void
}) {
  const { id, name, isActive, patients, leads, spendMonths } = source
  const cache = useQueryClient()
  const navigate = useNavigate()
  const sources = useQuery(orpc.leadSources.list.queryOptions())
  const [isConfirming, setConfirming] = useState(false)
  const uses = patients + leads + spendMonths
  const isUsed = uses > 0
  const refetch = () => cache.invalidateQueries({ queryKey: orpc.leadSources.key() })
  const change = useMutation(
    orpc.leadSources.update.mutationOptions({
      onSuccess: (after) => toast.success(after.isActive ? `${after.name} restored` : `${after.name} retired`),
      onError: (error) => toast.error(`Couldn’t change ${name}`, messageOf(error)),
      onSettled: refetch,
    }),
  )

  async function remove() {
    onDeleting(true)
    try {
      await client.leadSources.delete({ id })
      await navigate({ to: '/settings/$section', params: { section: 'lead-sources' }, replace: true })
      toast.success(`${name} was deleted`)
      void cache.invalidateQueries({ queryKey: orpc.leadSources.list.key() })
    } catch (error) {
      toast.error(`Couldn’t delete ${name}`, messageOf(error))
      onDeleting(false)
      setConfirming(false)
      void refetch()
    }
  }

  return (
    <section aria-label="Delete" className="flex flex-col items-start gap-3">
      {isUsed && (
        <p className="max-w-[60ch] text-sm text-fg-2">
          {isActive
            ? `Used by ${formatUses(source)}. If you retire it, they keep it and its forms keep working, but it is no longer offered.`
            : `This source is retired and no longer offered. It is still used by ${formatUses(source)}, and its forms keep working.`}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {(isUsed || !isActive) && (
          <Button busy={change.isPending} onClick={() => change.mutate({ id, isActive: !isActive })}>
            {isActive ? 'Retire source' : 'Restore source'}
          </Button>
        )}
        <Button variant="danger" onClick={() => setConfirming(true)}>
          Delete source
        </Button>
      </div>
      {isConfirming && isUsed && (
        <MoveDialog
          record={{ kind: 'source', name, users: formatUses(source), isOne: uses === 1 }}
          others={sources.data?.filter((other) => other.isActive && other.id !== id) ?? []}
          onMove={(to) => client.leadSources.move({ id, to })}
          onRetire={isActive ? () => client.leadSources.update({ id, isActive: false }) : undefined}
          onDone={() => void refetch()}
          onClose={() => setConfirming(false)}
        />
      )}
      {isConfirming && !isUsed && (
        <ConfirmDialog
          onClose={() => setConfirming(false)}
          title={`Delete ${name}?`}
          action={{ label: 'Delete source', busyLabel: 'Deleting…', isDanger: true }}
          isBusy={isDeleting}
          onConfirm={() => void remove()}
        >
          No patients, leads or spend use this source. Forms that send leads to it will stop working.
        </ConfirmDialog>
      )}
    </section>
  )
}
