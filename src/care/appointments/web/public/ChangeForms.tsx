import { useState } from 'react'
import { formatClockTime, formatFullDay } from '../../../../shared/translations.ts'
import { usePractice } from '../../../../ui/client/session.ts'
import { useLanguage, useTexts } from '../../../../ui/patient/language.ts'
import { charactersOver, PortalButton, PortalTextArea } from '../../../../ui/patient/parts.tsx'
import { TimePicker } from '../../../self-booking/web/embed/TimePicker.tsx'
import { appointmentTexts } from '../../texts.ts'
import { fetchOpenings } from './link-calls.ts'

const maxReason = 500

interface MoveFormProps {
  /** When it is now. */
  near: string
  /** What a time means for changing it again, a sentence each. */
  noticeOf: (startsAt: string) => string[]
  isBusy: boolean
  onMove: (startsAt: string) => void
  onBack: () => void
}

/** Another time with the same provider. */
export function MoveForm({ near, noticeOf, isBusy, onMove, onBack }: MoveFormProps) {
  const language = useLanguage()
  const t = appointmentTexts[language]
  const { timeZone } = usePractice()
  const [startsAt, setStartsAt] = useState<string | null>(null)
  return (
    <>
      <p>{t('moveIntro')}</p>
      <TimePicker load={fetchOpenings} timeZone={timeZone} value={startsAt} near={near} onChoose={setStartsAt} />
      {/* What was chosen stays in view above the times. */}
      <div className="sticky bottom-0 -mx-4 flex flex-col gap-3 border-t border-line bg-surface px-4 py-3 md:-mx-6 md:-mb-6 md:rounded-b-xl md:px-6 md:py-4">
        <p role="status" className="text-title empty:hidden">
          {startsAt !== null && (
            <>
              <span className="block font-semibold first-letter:uppercase">
                {formatFullDay(startsAt, language, timeZone)}, {formatClockTime(startsAt, language, timeZone)}
              </span>
              {noticeOf(startsAt).join(' ')}
            </>
          )}
        </p>
        <div className="flex flex-wrap gap-3">
          <PortalButton
            variant="filled"
            className="max-md:flex-auto"
            disabled={startsAt === null}
            busy={isBusy}
            busyLabel={t('moving')}
            onClick={() => startsAt !== null && onMove(startsAt)}
          >
            {t('moveTo')}
          </PortalButton>
          <PortalButton className="max-md:flex-auto" onClick={onBack}>
            {t('keep')}
          </PortalButton>
        </div>
      </div>
    </>
  )
}

interface CancelFormProps {
  /** What it costs, or what comes back; null: neither. */
  consequence: string | null
  isBusy: boolean
  onCancel: (reason: string) => void
  onBack: () => void
}

export function CancelForm({ consequence, isBusy, onCancel, onBack }: CancelFormProps) {
  const t = useTexts(appointmentTexts)
  const [reason, setReason] = useState('')
  return (
    <>
      <p>{t('cancelIntro')}</p>
      {consequence !== null && <p className="font-semibold">{consequence}</p>}
      <PortalTextArea
        label={t('reason')}
        rows={2}
        limit={maxReason}
        error={null}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
      <div className="flex flex-col gap-3 md:flex-row">
        <PortalButton
          variant="danger-filled"
          busy={isBusy}
          busyLabel={t('cancelling')}
          onClick={() => charactersOver(reason, maxReason) <= 0 && onCancel(reason)}
        >
          {t('confirmCancel')}
        </PortalButton>
        <PortalButton onClick={onBack}>{t('keep')}</PortalButton>
      </div>
    </>
  )
}
