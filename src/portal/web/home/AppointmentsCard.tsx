import { Activity, CalendarDays, Check } from 'lucide-react'
import { useState } from 'react'
import { RescheduleForm, type RescheduleInput } from '../../../care/appointments/web/embed/RescheduleForm.tsx'
import { procedureNames } from '../../../crm/procedures/rules.ts'
import { formatClockTime, formatVisitDay } from '../../../shared/translations.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import { useLanguage, useTexts } from '../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { codeOf } from '../calls.ts'
import { unbroken } from '../../../ui/unbroken.ts'
import { useOpener } from '../useOpener.ts'
import type { AppointmentData, HomeData, SurgeryData } from './home-calls.ts'
import { HomeRow } from './HomeRow.tsx'
import { type HomeProblem, homeProblem, homeTexts } from './texts.ts'

interface AppointmentsCardProps {
  home: HomeData
  onConfirm: (appointment: AppointmentData) => Promise<void>
  onAsk: (appointment: AppointmentData, asked: RescheduleInput) => Promise<void>
  onInstructions: (surgeryId: string) => void
  /** After a refusal: what is shown may be outdated. */
  onStale: () => void
}

/** Upcoming appointments and surgeries, soonest first. */
export function AppointmentsCard({ home, onConfirm, onAsk, onInstructions, onStale }: AppointmentsCardProps) {
  const { timeZone } = usePractice()
  const language = useLanguage()
  const t = homeTexts[language]
  const [busyId, setBusyId] = useState<string | null>(null)
  const [changedId, setChangedId] = useState<string | null>(null)
  const [problem, setProblem] = useState<HomeProblem | null>(null)
  const [result, setResult] = useState<'confirmed' | 'asked' | null>(null)
  const changed = home.appointments.find(({ id }) => id === changedId)
  const day = (startsAt: string) => ({
    day: formatVisitDay(startsAt, language, timeZone),
    time: unbroken(formatClockTime(startsAt, language, timeZone)),
  })

  /** Whether it worked. */
  async function act(id: string, how: 'confirmed' | 'asked', action: () => Promise<void>): Promise<boolean> {
    setBusyId(id)
    setProblem(null)
    setResult(null)
    try {
      await action()
      setResult(how)
      return true
    } catch (error) {
      const code = codeOf(error)
      setProblem(homeProblem(code))
      if (code !== null) onStale()
      return false
    } finally {
      setBusyId(null)
    }
  }

  function appointmentRow(appointment: AppointmentData) {
    const { id, type, startsAt, provider, place, isConfirmed, askedAt } = appointment
    const name = `${t(`types.${type}`)}, ${day(startsAt).day}`
    return (
      <HomeRow
        key={id}
        icon={<CalendarDays />}
        title={t(`types.${type}`)}
        actions={
          <>
            {!isConfirmed && (
              <PortalButton
                aria-label={t('confirmName', { appointment: name })}
                busy={busyId === id && changedId === null}
                busyLabel={t('confirming')}
                onClick={() => void act(id, 'confirmed', () => onConfirm(appointment))}
              >
                {t('confirm')}
              </PortalButton>
            )}
            <PortalButton
              aria-label={t('changeName', { appointment: name })}
              onClick={() => {
                setProblem(null)
                setChangedId(id)
              }}
            >
              {t('change')}
            </PortalButton>
          </>
        }
      >
        <p className="first-letter:uppercase">{provider ? t('whenWith', { ...day(startsAt), provider }) : t('when', day(startsAt))}</p>
        {/* A postal code stays on one line. */}
        <p>{place.replace(/([A-Z]\d[A-Z]) (\d[A-Z]\d)/, '$1\u00a0$2')}</p>
        {isConfirmed && (
          <p className="flex items-center gap-2 font-medium text-success-fg">
            <Check aria-hidden="true" className="size-4.5! flex-none" /> {t('confirmed')}
          </p>
        )}
        {askedAt && <p>{t('asked')}</p>}
      </HomeRow>
    )
  }
  const surgeryRow = ({ id, startsAt, procedures, isTentative, hasInstructions }: SurgeryData) => (
    <HomeRow
      key={id}
      icon={<Activity />}
      title={t('surgery', { procedures: procedureNames(procedures, language) })}
      actions={
        hasInstructions && (
          <PortalButton
            aria-label={t('prepareName', { procedures: procedureNames(procedures, language) })}
            onClick={() => onInstructions(id)}
          >
            {t('prepare')}
          </PortalButton>
        )
      }
    >
      <p className="first-letter:uppercase">{t('when', day(startsAt))}</p>
      {isTentative && <p>{t('tentative')}</p>}
    </HomeRow>
  )
  const visits = [
    ...home.appointments.map((appointment) => ({ startsAt: appointment.startsAt, row: appointmentRow(appointment) })),
    ...home.surgeries.map((surgery) => ({ startsAt: surgery.startsAt, row: surgeryRow(surgery) })),
  ].toSorted((one, other) => one.startsAt.localeCompare(other.startsAt))

  return (
    <Card aria-labelledby="home-appointments">
      <h2 id="home-appointments" className={sectionTitle}>
        {t('appointments')}
      </h2>
      {problem && !changed && <ErrorLine className="pt-3">{t(`problems.${problem}`)}</ErrorLine>}
      <p role="status" className="sr-only">
        {result ? t(`asks.${result}`) : ''}
      </p>
      {visits.length === 0 && <p className="pt-3 text-portal text-fg-2">{t('noAppointments')}</p>}
      {visits.length > 0 && <ul className="pt-4">{visits.map(({ row }) => row)}</ul>}
      {changed && (
        <ChangeDialog
          title={t('changeTitle')}
          visit={`${t(`types.${changed.type}`)}, ${t('when', day(changed.startsAt))}`}
          problem={problem}
          openDays={home.openDays}
          isBusy={busyId !== null}
          onAsk={(asked) => void act(changed.id, 'asked', () => onAsk(changed, asked)).then((isDone) => isDone && setChangedId(null))}
          onClose={() => {
            setProblem(null)
            setChangedId(null)
          }}
        />
      )}
    </Card>
  )
}

interface ChangeDialogProps {
  title: string
  /** What is kept until the clinic answers. */
  visit: string
  problem: HomeProblem | null
  openDays: readonly number[]
  isBusy: boolean
  onAsk: (asked: RescheduleInput) => void
  onClose: () => void
}

function ChangeDialog({ title, visit, problem, openDays, isBusy, onAsk, onClose }: ChangeDialogProps) {
  const t = useTexts(homeTexts)
  const frame = useTexts(frameTexts)
  const toOpener = useOpener()
  return (
    <Dialog onClose={onClose} onCloseAutoFocus={toOpener} title={title} size="md" head={{ isRoomy: true, closeLabel: frame('close') }}>
      <DialogBody className="text-portal">
        <p className="pb-4 font-semibold">{visit}</p>
        {problem && <ErrorLine className="pb-4">{t(`problems.${problem}`)}</ErrorLine>}
        <RescheduleForm openDays={openDays} isBusy={isBusy} onAsk={onAsk} onBack={onClose} />
      </DialogBody>
    </Dialog>
  )
}
