import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileCheck2 } from 'lucide-react'
import { Fragment, useState } from 'react'
import { PatientIdentity } from '../../../crm/contacts/web/embed/PatientIdentity.tsx'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { formatDate, formatDateTime, formatDay } from '../../../ui/format.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { SignatureView } from '../../forms/web/embed/SignatureView.tsx'
import { mergeFields } from '../definition-rules.ts'
import type { ConsentData, WholeConsentData } from './consent-data.ts'
import { ConsentClauses } from './embed/ConsentClauses.tsx'
import { eventLabels, formatDevice, formatStatus, scopeLabels, toneOf } from './labels.ts'

interface ConsentDrawerProps {
  consent: ConsentData
  onChange: () => void
  onWithdraw: ((consent: ConsentData) => void) | undefined
  onClose: () => void
}

/** A consent form as it was read and signed, with its steps and sealed PDFs. Its view is in the audit log. */
export default function ConsentDrawer({ consent, onChange, onWithdraw, onClose }: ConsentDrawerProps) {
  const may = usePermission()
  const [isSigning, setSigning] = useState(false)
  const whole = useQuery(orpc.consentForms.get.queryOptions({ input: { id: consent.id }, staleTime: 0 }))
  const current = whole.data ?? consent
  const mayCountersign = may('consentForms.countersign') && whole.data?.awaitsCountersignature
  return (
    <SideDrawer
      title={consent.title.en}
      aside={<Badge tone={toneOf(current)}>{formatStatus(current)}</Badge>}
      footer={
        whole.data?.status === 'signed' &&
        (mayCountersign || onWithdraw) && (
          <>
            {onWithdraw && (
              <Button variant="danger" size="lg" onClick={() => onWithdraw(current)}>
                Record withdrawal
              </Button>
            )}
            {mayCountersign && (
              <Button variant="filled" size="lg" className="ml-auto" onClick={() => setSigning(true)}>
                Countersign
              </Button>
            )}
          </>
        )
      }
      onClose={onClose}
      isReadOnly
    >
      {whole.data ? (
        <Content consent={whole.data} />
      ) : whole.error ? (
        <ErrorState title="Couldn’t load the consent form" onRetry={() => void whole.refetch()} retrying={whole.isFetching}>
          {messageOf(whole.error)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={6} />
      )}
      {isSigning && whole.data && <CountersignDialog consent={whole.data} onChange={onChange} onClose={() => setSigning(false)} />}
    </SideDrawer>
  )
}

interface CountersignDialogProps {
  consent: WholeConsentData
  onChange: () => void
  onClose: () => void
}

function CountersignDialog({ consent, onChange, onClose }: CountersignDialogProps) {
  const cache = useQueryClient()
  const patient = useQuery(orpc.contacts.get.queryOptions({ input: { id: consent.contactId } }))
  const [isBusy, setBusy] = useState(false)
  async function countersign() {
    setBusy(true)
    try {
      const after = await client.consentForms.countersign({ id: consent.id })
      cache.setQueryData(orpc.consentForms.get.queryKey({ input: { id: consent.id } }), after)
      toast.success('Consent form countersigned')
      onChange()
    } catch (error) {
      toast.error('Not countersigned', messageOf(error))
    }
    onClose()
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Countersign this consent form?"
      action={{ label: 'Countersign', busyLabel: 'Countersigning…' }}
      isBusy={isBusy}
      onConfirm={() => void countersign()}
    >
      <p className="pb-3 text-sm">
        <strong className="block font-semibold wrap-anywhere text-fg">{consent.title.en}</strong>
        {patient.data && <PatientIdentity patient={patient.data} />}
      </p>
      You confirm that you explained the procedure, its risks and the alternatives to {consent.text.patientName}, and answered the
      questions.{' '}
      {consent.documentId === null
        ? 'Your name and the time become part of a new sealed PDF.'
        : 'You also confirm that the scan shows this consent form with its signature.'}
    </ConfirmDialog>
  )
}

function Content({ consent }: { consent: WholeConsentData }) {
  const clock = useClock()
  const { text, signing, events, files, status } = consent
  return (
    <div className="flex flex-col gap-5 text-sm">
      {status === 'withdrawn' && (
        <Alert tone="danger" title={`Withdrawn ${formatDay(consent.withdrawnOn!)}.`}>
          By: {consent.withdrawnBy}
        </Alert>
      )}
      {consent.missing.length > 0 && (
        <Alert tone="warning" title="The patient can’t sign it yet.">
          Add what its text names: {consent.missing.map((field) => mergeFields[field].toLowerCase()).join(', ')}.
        </Alert>
      )}
      {status === 'declined' && (
        <Alert tone="danger" title="The patient declined to sign.">
          {consent.declineReason ?? 'No reason was given.'}
        </Alert>
      )}
      {consent.documentId !== null ? (
        <PaperFacts consent={consent} documentId={consent.documentId} />
      ) : files.length > 0 ? (
        <ul aria-label="Sealed copies" className="flex flex-col">
          {files.map(({ id, kind, sealedAt, timestamp }) => (
            <li key={id}>
              <a
                href={`/api/consent-files/${id}.pdf`}
                target="_blank"
                rel="noreferrer"
                className="flex min-h-11 items-center gap-3 text-accent-fg hover:underline md:min-h-8"
              >
                <FileCheck2 aria-hidden="true" />
                <span>
                  Sealed PDF: {eventLabels[kind].toLowerCase()}, {formatDateTime(sealedAt, clock)}
                  {timestamp === 'pending' && ' (time-stamp pending)'}
                </span>
              </a>
            </li>
          ))}
        </ul>
      ) : (
        (status === 'signed' || status === 'withdrawn') && <p className="text-fg-3">The sealed PDF is being made.</p>
      )}
      {consent.documentId === null && (
        <section aria-label="Text" className="text-md">
          <ConsentClauses text={text} initials={signing?.initials ?? {}} scopes={signing?.scopes ?? null} />
          {signing && (
            <div className="flex flex-col gap-2 border-t border-line pt-4">
              <p>{text.statement}</p>
              <SignatureView signature={signing.signature} />
              {consent.substitute && (
                <p className="text-fg-2">
                  Signed by {consent.substitute.name} ({consent.substitute.relation}) for {text.patientName}
                </p>
              )}
              {signing.witness && <p className="text-fg-2">Witness: {signing.witness}</p>}
              {signing.interpreter && <p className="text-fg-2">Interpreter: {signing.interpreter}</p>}
            </div>
          )}
        </section>
      )}
      <section aria-label="Steps">
        <h3 className="border-b border-line pb-2 text-title font-semibold">Steps</h3>
        <ol className="flex flex-col gap-3 pt-3">
          {events.map(({ id, kind, at, actorName, address, detail }) => (
            <li key={id}>
              <p className="text-fg">
                {/* Staff record what the patient asked for: `by` says who did. */}
                {kind === 'withdrawn' && typeof detail.by === 'string' ? 'Withdrawal recorded' : eventLabels[kind]} by {actorName}
              </p>
              <p className="text-xs text-fg-3">
                {formatDateTime(at, clock)}
                {address && ` from ${address}`}
                {formatDevice(detail)}
              </p>
              {kind === 'sent' && consent.sentTo !== null && <p className="text-xs wrap-anywhere text-fg-3">To {consent.sentTo}</p>}
              {typeof detail.question === 'string' && <p className="pt-1 whitespace-pre-wrap text-fg-2">{detail.question}</p>}
            </li>
          ))}
        </ol>
      </section>
    </div>
  )
}

/** What is known of one that was signed on paper. What was signed is on the scan. */
function PaperFacts({ consent, documentId }: { consent: WholeConsentData; documentId: string }) {
  const { timeZone } = useClock()
  const { substitute, text, versionNumber, scopes } = consent
  const facts: [string, string][] = [
    ['Signed on paper', formatDate(consent.signedAt!, timeZone)],
    ['Signed by', substitute ? `${substitute.name} (${substitute.relation}) for ${text.patientName}` : text.patientName],
    ['Version', String(versionNumber)],
    ...(scopes.length > 0 ? [['Agreed to', scopes.map((scope) => scopeLabels[scope]).join(', ')] as [string, string]] : []),
  ]
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-2">
        {facts.map(([label, value]) => (
          <Fragment key={label}>
            <dt className="text-fg-2">{label}</dt>
            <dd className="wrap-anywhere text-fg">{value}</dd>
          </Fragment>
        ))}
      </dl>
      <a
        href={`/api/documents/${documentId}/file`}
        target="_blank"
        rel="noreferrer"
        className="flex min-h-11 items-center gap-3 text-accent-fg hover:underline md:min-h-8"
      >
        <FileCheck2 aria-hidden="true" /> Open scan
      </a>
      <p className="text-fg-3">It has no sealed PDF: the paper is what was signed.</p>
    </div>
  )
}
