import { FileText, Image } from 'lucide-react'
import { useId, useState } from 'react'
import { usePractice } from '../../../ui/client/session.ts'
import { Badge } from '../../../ui/display/Badge.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Spinner } from '../../../ui/display/Spinner.tsx'
import { fileKinds } from '../../../documents/rules.ts'
import type { DocumentData } from '../calls.ts'
import { PortalButton } from '../../../ui/patient/parts.tsx'
import { formatMediumDay } from '../../../shared/translations.ts'
import { useLanguage, useTexts } from '../../../ui/patient/language.ts'
import { formatBytes, viewOf } from './labels.ts'
import { documentTexts } from './texts.ts'

interface DocumentRowProps {
  document: DocumentData
  checked: boolean
  onToggle: () => void
  disabled: boolean
  onView: () => void
  onDownload: () => Promise<void>
  onCheck: () => Promise<void>
}

export function DocumentRow({ document, checked, onToggle, disabled, onView, onDownload, onCheck }: DocumentRowProps) {
  const { timeZone } = usePractice()
  const language = useLanguage()
  const t = documentTexts[language]
  const [busy, setBusy] = useState(false)
  const boxId = useId()
  const { name, type, size, created_at, upload_source, review_state, signedUrl } = document
  /** The virus scan is pending. An infected file is rejected. */
  const isBeingChecked = signedUrl === null && review_state !== 'rejected'
  const Icon = viewOf(type) === 'image' ? Image : FileText

  async function runBusy(work: () => Promise<void>) {
    setBusy(true)
    await work()
    setBusy(false)
  }

  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-4 py-5 md:flex-nowrap md:items-center">
      {/* The touch target is 48 px. */}
      <label htmlFor={boxId} className="-m-3 flex size-12 flex-none items-center justify-center">
        <Checkbox
          id={boxId}
          large
          aria-label={t('select', { name })}
          checked={checked && signedUrl !== null}
          onCheckedChange={onToggle}
          disabled={disabled || signedUrl === null}
        />
      </label>
      <span aria-hidden="true" className="flex size-11 flex-none items-center justify-center rounded-lg bg-hover text-fg-2 max-md:hidden">
        <Icon className="size-5!" />
      </span>
      <div className="min-w-0 flex-1 basis-0">
        <h3 className="text-portal font-semibold [overflow-wrap:anywhere]">{name}</h3>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-title leading-relaxed text-fg-2">
          <span>
            {t(`kinds.${fileKinds[type].name}`)}, {size !== null && `${formatBytes(size, language)}, `}
            {formatMediumDay(created_at, language, timeZone)}
          </span>
          <Badge tone={upload_source === 'clinic' ? 'accent' : 'neutral'} className="h-6.5 px-2 text-md">
            {upload_source === 'patient' ? t('fromPatient') : t('fromClinic')}
          </Badge>
        </p>
        {!isBeingChecked ? <ReviewLine document={document} /> : <p className="text-title leading-relaxed text-fg-2">{t('scanning')}</p>}
      </div>
      {isBeingChecked && (
        <PortalButton busy={busy} busyLabel={t('checking')} onClick={() => void runBusy(onCheck)} className="max-md:w-full">
          {t('check')}
        </PortalButton>
      )}
      {signedUrl !== null && (
        <div className="grid w-full flex-none grid-cols-2 gap-2 md:flex md:w-auto">
          <PortalButton aria-label={t('viewName', { name })} onClick={onView}>
            {t('view')}
          </PortalButton>
          <PortalButton
            aria-label={t('downloadName', { name })}
            busy={busy}
            busyLabel={<Spinner />}
            onClick={() => void runBusy(onDownload)}
          >
            {t('download')}
          </PortalButton>
        </div>
      )}
    </li>
  )
}

/** The review status of a patient's upload. */
function ReviewLine({ document: { upload_source, review_state, reject_reason } }: { document: DocumentData }) {
  const t = useTexts(documentTexts)
  if (upload_source !== 'patient') return null
  if (review_state === 'rejected')
    return (
      <p className="text-title leading-relaxed text-danger-fg [overflow-wrap:anywhere]">
        {reject_reason ? t('rejectedBecause', { reason: reject_reason }) : t('rejected')}
      </p>
    )
  return <p className="text-title leading-relaxed text-fg-2">{review_state === 'accepted' ? t('accepted') : t('pending')}</p>
}
