import { FileText, Folder, HeartPulse, Images, MessageSquare, ReceiptText } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { procedureNames } from '../../../crm/procedures/rules.ts'
import { formatCents, formatMediumDay, formatVisitDay } from '../../../shared/translations.ts'
import { useClock, usePractice } from '../../../ui/client/session.ts'
import { today } from '../../../ui/format.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton, PortalSkeleton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { isSessionOver, type PatientSession, type QuoteData } from '../calls.ts'
import { unbroken } from '../../../ui/unbroken.ts'
import { useFocusOnArrival } from '../useFocusOnArrival.ts'
import { AppointmentsCard } from './AppointmentsCard.tsx'
import { confirmAppointment, fetchHome, type HomeData, requestAppointment } from './home-calls.ts'
import { OpenRow } from './HomeRow.tsx'
import { homeTexts } from './texts.ts'
import { doneOf, todosOf } from './todo.ts'
import { TodoCard } from './TodoCard.tsx'

interface HomeViewProps {
  session: PatientSession
  documentCount: number
  quotes: readonly QuoteData[]
  callTracked: <Result>(call: () => Promise<Result>) => Promise<Result>
  onView: (view: string) => void
}

/** What the patient has to do, what comes next, and the way to everything else. */
export default function HomeView({ session, documentCount, quotes, callTracked, onView }: HomeViewProps) {
  const clock = useClock()
  const { timeZone } = usePractice()
  const language = useLanguage()
  const t = homeTexts[language]
  const [home, setHome] = useState<HomeData | 'failed' | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useFocusOnArrival(title)

  async function load() {
    try {
      setHome(await callTracked(() => fetchHome(session)))
    } catch (error) {
      if (!isSessionOver(error)) setHome((before) => before ?? 'failed')
    }
  }
  const loadFirst = useEffectEvent(() => void load())
  useEffect(() => loadFirst(), [])

  const isLoaded = home !== null && home !== 'failed'
  const todos = isLoaded ? todosOf(home, quotes, today(clock)) : []
  const { unread, last } = isLoaded ? home.messages : { unread: 0, last: null }
  const surgery = isLoaded ? home.surgeries[0] : undefined
  const lead = [
    surgery && t(surgery.isTentative ? 'surgeryPlanned' : 'surgeryOn', { day: formatVisitDay(surgery.startsAt, language, timeZone) }),
    todos.length > 0 && t('left', { count: todos.length }),
  ].filter((sentence) => typeof sentence === 'string')
  const nextPayment = ({ cents, dueCents, dueOn }: NonNullable<HomeData['balance']>) => {
    const day = unbroken(formatMediumDay(dueOn, language))
    return dueCents < cents ? t('nextOf', { amount: formatCents(dueCents, language), day }) : t('nextOn', { day })
  }
  return (
    <>
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold wrap-anywhere outline-none md:text-4xl">
        {t('hello', { name: isLoaded ? home.firstName : session.firstName })}
      </h1>
      {lead.length > 0 && <p className="max-w-[60ch] pt-1.5 text-portal text-fg-2">{lead.join(' ')}</p>}
      <div className="flex flex-col gap-5 pt-6">
        {home === null &&
          [t('todo'), t('appointments')].map((heading) => (
            <Card key={heading}>
              <h2 className={sectionTitle}>{heading}</h2>
              <PortalSkeleton rows={2} />
            </Card>
          ))}
        {home === 'failed' && (
          <Card className="flex flex-col items-start gap-4">
            <ErrorLine>{t('failed')}</ErrorLine>
            <PortalButton
              onClick={() => {
                setHome(null)
                void load()
              }}
            >
              {frameTexts[language]('tryAgain')}
            </PortalButton>
          </Card>
        )}
        {isLoaded && (
          <>
            <TodoCard
              todos={todos}
              done={doneOf(home)}
              onForm={(id) => onView(`form-${id}`)}
              onConsent={(id) => onView(`consent-${id}`)}
              onQuote={(id) => onView(`quote-${id}`)}
              onPaid={() => void load()}
            />
            <AppointmentsCard
              home={home}
              onConfirm={async (appointment) => setHome(await callTracked(() => confirmAppointment(session, appointment)))}
              onAsk={async (appointment, asked) => setHome(await callTracked(() => requestAppointment(session, appointment, asked)))}
              onInstructions={(id) => onView(`instructions-${id}`)}
              onStale={() => void load()}
            />
          </>
        )}
        {/* What it says depends on what was loaded. */}
        {home !== null && (
          <Card className="py-2 md:py-3">
            <ul>
              {isLoaded &&
                home.aftercare.map(({ id, startsAt, procedures }) => (
                  <OpenRow
                    key={id}
                    icon={<HeartPulse />}
                    title={t('aftercare', { procedures: procedureNames(procedures, language) })}
                    onOpen={() => onView(`instructions-${id}`)}
                  >
                    {t('surgeryWas', { day: unbroken(formatMediumDay(startsAt, language, timeZone)) })}
                  </OpenRow>
                ))}
              <OpenRow
                icon={<MessageSquare />}
                title={t('messages')}
                isNew={unread > 0 && t('newMessages', { count: unread })}
                onOpen={() => onView('messages')}
              >
                {last === null
                  ? t('noMessages')
                  : t(last.isOwn ? 'wrote' : 'answered', { day: unbroken(formatMediumDay(last.createdAt, language, timeZone)) })}
              </OpenRow>
              <OpenRow icon={<Folder />} title={t('documents')} onOpen={() => onView('documents')}>
                {documentCount > 0
                  ? t('documentsCount', { count: documentCount })
                  : t(isLoaded && home.consents.some(({ signedAt }) => signedAt !== null) ? 'signedConsents' : 'noDocuments')}
              </OpenRow>
              {isLoaded && home.photoCount > 0 && (
                <OpenRow icon={<Images />} title={t('photos')} onOpen={() => onView('photos')}>
                  {t('photosCount', { count: home.photoCount })}
                </OpenRow>
              )}
              {quotes.length > 0 && (
                <OpenRow icon={<FileText />} title={t('quotes')} onOpen={() => onView('quotes')}>
                  {t('quotesCount', { count: quotes.length })}
                </OpenRow>
              )}
              {isLoaded && (home.receiptCount > 0 || home.balance !== null) && (
                <OpenRow icon={<ReceiptText />} title={t('receipts')} onOpen={() => onView('receipts')}>
                  {[
                    home.balance && t('owed', { amount: formatCents(home.balance.cents, language) }),
                    home.balance && !todos.some(({ kind }) => kind === 'balance') && nextPayment(home.balance),
                    home.receiptCount > 0 && t('receiptsCount', { count: home.receiptCount }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </OpenRow>
              )}
            </ul>
          </Card>
        )}
      </div>
    </>
  )
}
