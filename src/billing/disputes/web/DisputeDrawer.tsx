import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { codeOf } from '../../../ui/client/refusal.ts'
import { useClock } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { rowButton } from '../../../ui/hooks/useRowKeys.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Disclosure } from '../../../ui/display/Disclosure.tsx'
import { Fact, Facts } from '../../../ui/display/Facts.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { ConflictNotice } from '../../../ui/forms/ConflictNotice.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../ui/forms/useUnsavedGuard.tsx'
import { formatDateTime, formatMoney } from '../../../ui/format.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { cardName } from '../../../shared/cards.ts'
import { maxStatement, needsEvidence, whatToDoAfterRefusal } from '../rules.ts'
import { formatDeadline } from './deadline.ts'
import type { DisputeDetails } from './dispute-data.ts'
import { EvidenceFacts } from './EvidenceFacts.tsx'
import { badgeOf, formatReason } from './labels.tsx'

/** A dispute, the prepared evidence and the statement to the bank. */
export default function DisputeDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const dispute = useQuery(orpc.disputes.get.queryOptions({ input: { id } }))
  const { data } = dispute
  if (data) return <Loaded key={data.evidenceAt ?? 'open'} dispute={data} onClose={onClose} />
  return (
    <SideDrawer title="Dispute" onClose={onClose} returnTo={() => rowButton(id)}>
      {dispute.error ? (
        <ErrorState title="Couldn’t load the dispute" onRetry={() => void dispute.refetch()} retrying={dispute.isFetching}>
          {messageOf(dispute.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-4">
          {['w-1/2', 'w-2/3', 'w-1/3', 'w-3/4', 'w-2/5'].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
      )}
    </SideDrawer>
  )
}

function Loaded({ dispute, onClose }: { dispute: DisputeDetails; onClose: () => void }) {
  const clock = useClock()
  const may = usePermission()
  const cache = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [isAccepting, setAccepting] = useState(false)
  const { id, contact } = dispute
  const isOpen = needsEvidence(dispute) && dispute.evidenceAt === null
  const refresh = () => void cache.invalidateQueries({ queryKey: orpc.disputes.key() })
  const form = useActionForm({
    initial: { statement: dispute.statement, version: dispute.version },
    check: ({ statement }) => ({ statement: statement.trim() === '' ? 'Write a statement' : undefined }),
    send: (given) => client.disputes.save({ id, ...given }),
    done: 'Statement saved',
    onDone({ statement, version }) {
      form.reset({ statement, version })
      refresh()
    },
    async theirs(error): Promise<DisputeDetails | null> {
      if (codeOf(error) !== 'CHANGED_MEANWHILE') return null
      try {
        return await client.disputes.get({ id })
      } catch {
        return null
      }
    },
    onRefused(error) {
      refresh()
      if (codeOf(error) === 'CARD_REFUSED') void followRefusal()
    },
  })
  const { conflict } = form
  const guard = useUnsavedGuard(() => form.isDirty && !form.isBusy)
  const badge = badgeOf(dispute)
  const { payment } = dispute.evidence
  const isEditable = isOpen && may('disputes.submit')

  /** Stripe's refusal keeps the statement, as a new version. */
  async function followRefusal() {
    try {
      const { statement, version } = await client.disputes.get({ id })
      form.rebase({ statement, version })
    } catch (error) {
      reportError(error)
    }
  }

  function resolve(keep: 'mine' | 'theirs') {
    if (!conflict) return
    const { statement, version } = conflict
    form.rebase({ statement, version }, keep === 'mine' ? ['statement'] : [])
    refresh()
  }

  const accept = useMutation(
    orpc.disputes.accept.mutationOptions({
      onSuccess: () => toast.success('Dispute accepted'),
      onError: (error) => toast.error('Dispute not accepted', messageOf(error)),
      onSettled() {
        setAccepting(false)
        refresh()
      },
    }),
  )

  async function submit() {
    const isSubmitted = await form.sendAnyway((given) => client.disputes.submit({ id, ...given }))
    setAsking(false)
    if (isSubmitted) refresh()
  }

  return (
    <SideDrawer
      title={`Dispute of ${formatMoney(dispute.amountCents)}`}
      description={formatReason(dispute.reason)}
      aside={
        <Badge tone={badge.tone} icon={badge.icon}>
          {badge.label}
        </Badge>
      }
      onClose={() => guard.close(onClose)}
      returnTo={() => rowButton(id)}
      footer={
        isEditable && (
          <>
            {dispute.status === 'needs_response' && may('disputes.accept') && (
              <Button className="max-md:flex-1 md:mr-auto" disabled={form.isBusy} onClick={() => setAccepting(true)}>
                Accept dispute…
              </Button>
            )}
            <Button
              className="max-md:flex-1"
              busy={form.isBusy && !isAsking}
              busyLabel="Saving…"
              disabled={!form.isDirty || conflict !== null}
              onClick={() => void form.submit()}
            >
              Save draft
            </Button>
            <Button
              variant="filled"
              className="max-md:w-full"
              disabled={form.isBusy || conflict !== null || form.values.statement.trim() === ''}
              onClick={() => setAsking(true)}
            >
              Submit evidence…
            </Button>
          </>
        )
      }
    >
      {conflict && (
        <div className="mb-5">
          <ConflictNotice title="Someone else has changed this statement." onResolve={resolve} className="mb-2" />
          <Disclosure summary="Their statement">
            <p className="max-w-[70ch] pb-3 text-sm whitespace-pre-line text-fg-2">{conflict.statement}</p>
          </Disclosure>
        </div>
      )}
      {form.problems.form && (
        <Alert tone="danger" className="mb-4">
          {form.problems.form}
        </Alert>
      )}
      {dispute.evidenceProblem !== null && (
        <Alert tone="danger" className="mb-4" title="Stripe refused the evidence.">
          {whatToDoAfterRefusal(dispute.evidenceProblem)}
        </Alert>
      )}
      {dispute.evidenceAt && !dispute.submittedAt && (
        <Alert tone="warning" className="mb-4" title="Not with Stripe yet.">
          The evidence is kept and is sent as soon as Stripe answers. It is never submitted twice.
        </Alert>
      )}
      <Facts>
        <Fact label="Patient">
          <Link to="/contacts/$id" params={{ id: contact.id }} className="rounded-xs text-accent-fg hover:underline">
            {`${contact.firstName} ${contact.lastName}`.trim()}
          </Link>
        </Fact>
        <Fact label="Deadline">{formatDeadline(dispute, clock)}</Fact>
        <Fact label="Paid">
          {formatMoney(payment.amountCents)}, {formatDateTime(payment.paidAt, clock)}
        </Fact>
        {payment.card && <Fact label="Card">{cardName(payment.card)}</Fact>}
        <Fact label="Stripe">
          <span className="text-xs text-fg-3">{dispute.stripeDisputeId}</span>
        </Fact>
      </Facts>
      <div className="mt-5 border-t border-line pt-4">
        {isEditable ? (
          <Form form={form}>
            <Field
              label="Statement to the bank"
              hint="Proposed from the facts below. Don’t name procedures or anything else about the patient’s health unless the bank has to know it."
              error={form.problems.statement}
            >
              <Textarea {...form.text('statement')} rows={12} maxLength={maxStatement} />
            </Field>
          </Form>
        ) : (
          <>
            <h3 className="pb-2 text-title font-semibold">Statement to the bank</h3>
            <p className="text-sm break-words whitespace-pre-wrap">{dispute.statement}</p>
          </>
        )}
      </div>
      <EvidenceFacts evidence={dispute.evidence} />
      {guard.dialog}
      {isAccepting && (
        <ConfirmDialog
          onClose={() => setAccepting(false)}
          title="Accept this dispute?"
          action={{ label: 'Accept dispute', busyLabel: 'Accepting…', isDanger: true }}
          isBusy={accept.isPending}
          onConfirm={() => accept.mutate({ id })}
        >
          The dispute is lost at once: {`${contact.firstName} ${contact.lastName}`.trim()} keeps the {formatMoney(dispute.amountCents)}, and
          Stripe keeps its fee. No evidence is submitted, and this can’t be undone.
        </ConfirmDialog>
      )}
      {isAsking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title="Submit the evidence to the bank?"
          action={{ label: 'Submit evidence', busyLabel: 'Submitting…' }}
          isBusy={form.isBusy}
          onConfirm={() => void submit()}
        >
          The statement, the patient’s name and email, the service date, the network address of the payment and what was accepted are sent
          to the bank through Stripe. Evidence can be submitted once and can’t be changed afterwards.
        </ConfirmDialog>
      )}
    </SideDrawer>
  )
}
