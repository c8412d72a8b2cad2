import { Check, CircleAlert, CircleCheck, Eye, EyeOff, ShieldAlert, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Person } from '../../platform/auth/people-contract.ts'
import { uploadDescription } from '../rules.ts'
import { Badge } from '../../ui/display/Badge.tsx'
import { Button } from '../../ui/controls/Button.tsx'
import { type Clock, formatDateTime, formatShortDate } from '../../ui/format.ts'
import type { DocumentData } from './document-data.ts'
import { DocumentMenu } from './DocumentMenu.tsx'
import { KindIcon } from './KindIcon.tsx'
import { RenameField } from './RenameField.tsx'
import type { DocumentActions } from './useDocumentActions.ts'
import { categoryLabels, formatKindAndSize, formatSharing } from './labels.ts'

interface DocumentRowProps {
  document: DocumentData
  people: readonly Person[]
  clock: Clock
  actions: DocumentActions
  onOpen: () => void
  onDetails: () => void
  onAccept: () => void
  onReject: () => void
}

/** A document of a patient, with its category, sharing, scan status and review status. */
export function DocumentRow({ document, people, clock, actions, onOpen, onDetails, onAccept, onReject }: DocumentRowProps) {
  const [isRenaming, setRenaming] = useState(false)
  const { name, description, documentType, isShared, uploadSource, uploadedBy, createdAt, reviewState } = document
  const isPatients = uploadSource === 'patient'
  const facts = [
    formatKindAndSize(document),
    <span key="date" title={formatDateTime(createdAt, clock)}>
      {formatShortDate(createdAt, clock)}
    </span>,
    ...(isPatients ? [] : [staffName(uploadedBy, people)]),
  ]
  const SharingIcon = isShared ? Eye : EyeOff
  const hasStatus = isPatients || document.scanState === 'pending' || document.scanState === 'infected'
  return (
    <li data-document={document.id} className="flex gap-3 border-b border-line py-3">
      <KindIcon kind={document.mimeType} />
      <div className="grid min-w-0 flex-1 gap-x-4 gap-y-1 @2xl:grid-cols-[minmax(0,1fr)_11.5rem]">
        <div className="min-w-0">
          {isRenaming ? (
            <RenameField document={document} change={actions.change} onClose={() => setRenaming(false)} />
          ) : (
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <button
                type="button"
                onClick={onOpen}
                className="relative min-w-0 rounded-xs text-left text-sm font-medium wrap-anywhere text-fg touch-target hover:underline"
              >
                {name}
              </button>
              {isPatients && <Badge>Uploaded by patient</Badge>}
            </p>
          )}
          <Dotted facts={facts} />
          {description && description !== uploadDescription && (
            <p className="max-w-[60ch] pt-1 text-sm wrap-anywhere whitespace-pre-wrap text-fg-2">{description}</p>
          )}
        </div>
        <div className="min-w-0 text-xs">
          <p className={`text-sm ${documentType === 'patient_upload' ? 'text-fg-3' : 'text-fg-2'}`}>{categoryLabels[documentType]}</p>
          <p className={`flex items-center gap-1.5 ${isShared ? 'text-fg-2' : 'text-fg-3'}`}>
            <SharingIcon aria-hidden="true" className="size-3.5!" />
            {formatSharing(isShared)}
          </p>
        </div>
        {hasStatus && (
          <div className="min-w-0 @2xl:col-span-2">
            <ScanStatus scanState={document.scanState} />
            {isPatients && <ReviewStatus document={document} people={people} clock={clock} />}
            {isPatients && reviewState === 'pending' && (
              <div className="flex gap-2 pt-1.5">
                <Button size="sm" icon={<Check />} aria-label={`Accept ${name}`} onClick={onAccept}>
                  Accept
                </Button>
                <Button size="sm" variant="quiet" icon={<X />} aria-label={`Reject ${name}`} onClick={onReject}>
                  Reject…
                </Button>
              </div>
            )}
          </div>
        )}
      </div>
      <DocumentMenu
        document={document}
        actions={actions}
        onOpen={onOpen}
        onRename={() => setRenaming(true)}
        onDetails={onDetails}
        onAccept={onAccept}
        onReject={onReject}
      />
    </li>
  )
}

function ScanStatus({ scanState }: Pick<DocumentData, 'scanState'>) {
  if (scanState === 'pending') {
    return (
      <StatusLine tone="text-fg-3" icon={<ShieldAlert />}>
        Virus scan in progress
      </StatusLine>
    )
  }
  if (scanState !== 'infected') return null
  return (
    <StatusLine tone="text-danger-fg" icon={<ShieldAlert />}>
      The virus scanner found a threat in this file
    </StatusLine>
  )
}

/** The review decision on a patient upload, and who made it. */
function ReviewStatus({ document, people, clock }: Pick<DocumentRowProps, 'document' | 'people' | 'clock'>) {
  const { reviewState, reviewedBy, reviewedAt, rejectReason } = document
  if (reviewState === 'pending' || reviewedAt === null) return null
  const by = `by ${staffName(reviewedBy, people)}, ${formatShortDate(reviewedAt, clock)}`
  return reviewState === 'accepted' ? (
    <StatusLine tone="text-fg-3" icon={<CircleCheck className="text-success-fg" />}>
      Accepted {by}
    </StatusLine>
  ) : (
    <StatusLine tone="text-fg-2" icon={<CircleAlert className="text-danger-fg" />}>
      <span className="font-medium text-danger-fg">Rejected</span> {by}: {rejectReason}
    </StatusLine>
  )
}

function StatusLine({ tone, icon, children }: { tone: string; icon: ReactNode; children: ReactNode }) {
  return (
    <p className={`flex gap-1.5 text-xs [&_svg]:mt-px [&_svg]:size-3.5! ${tone}`}>
      {icon}
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  )
}

/** Facts separated by dots; a fact and its dot never wrap apart. */
function Dotted({ facts }: { facts: readonly ReactNode[] }) {
  return (
    <p className="text-xs text-fg-3 tabular-nums">
      {facts.map((fact, index) => (
        // oxlint-disable-next-line no-array-index-key -- the order never changes
        <span key={index} className="inline-block">
          {fact}
          {index < facts.length - 1 && <span className="px-1">·</span>}
        </span>
      ))}
    </p>
  )
}

function staffName(id: string | null, people: readonly Person[]): string {
  return people.find((person) => person.id === id)?.fullName ?? (people.length > 0 ? 'former staff' : 'staff')
}
