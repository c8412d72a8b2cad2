import { ChevronDown, CircleCheck, ClipboardList, CreditCard, FileCheck, FilePenLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { patientQuoteName } from '../../../billing/quotes/patient-rules.ts'
import { formatCents, formatMediumDay, inLanguage } from '../../../shared/translations.ts'
import { useClock, usePractice } from '../../../ui/client/session.ts'
import { today } from '../../../ui/format.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { Card, PortalButton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { unbroken } from '../../../ui/unbroken.ts'
import { PayLink } from '../PayLink.tsx'
import { Overdue } from '../receipts/Overdue.tsx'
import { HomeRow } from './HomeRow.tsx'
import { homeTexts } from './texts.ts'
import type { Done, Todo } from './todo.ts'

interface TodoCardProps {
  todos: readonly Todo[]
  done: readonly Done[]
  onForm: (id: string) => void
  onConsent: (id: string) => void
  onQuote: (id: string) => void
  /** The patient comes back from the payment page. */
  onPaid: () => void
}

/** What is left to do, the first with the filled button; what is done is folded away. */
export function TodoCard({ todos, done, ...on }: TodoCardProps) {
  const { timeZone } = usePractice()
  const language = useLanguage()
  const t = homeTexts[language]
  return (
    <Card aria-labelledby="home-todo">
      <h2 id="home-todo" className={sectionTitle}>
        {t('todo')}
      </h2>
      {todos.length === 0 ? (
        <p className="flex items-center gap-3 pt-3 text-portal text-fg-2">
          <CircleCheck aria-hidden="true" className="size-6! flex-none text-success-fg" /> {t('nothingLeft')}
        </p>
      ) : (
        <ul className="pt-4">
          {todos.map((todo, index) => (
            <TodoRow key={todo.id} todo={todo} isFirst={index === 0} {...on} />
          ))}
        </ul>
      )}
      {done.length > 0 && (
        <details className="group mt-5 -mb-3 border-t border-line pt-1">
          <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2 text-portal text-fg-2 hover:text-fg [&::-webkit-details-marker]:hidden">
            {t('done', { count: done.length })}
            <ChevronDown aria-hidden="true" className="size-4.5! group-open:rotate-180" />
          </summary>
          <ul className="pt-2 pb-3">
            {done.map(({ id, title, signedAt }) => (
              <HomeRow key={id} icon={<FileCheck />} title={title[language]}>
                {signedAt === null ? t('formDone') : t('consentDone', { day: formatMediumDay(signedAt, language, timeZone) })}
              </HomeRow>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}

interface TodoRowProps extends Omit<TodoCardProps, 'todos' | 'done'> {
  todo: Todo
  isFirst: boolean
}

function TodoRow({ todo, isFirst, onForm, onConsent, onQuote, onPaid }: TodoRowProps) {
  const clock = useClock()
  const { timeZone } = usePractice()
  const language = useLanguage()
  const t = homeTexts[language]
  const button = (label: string, name: string, onClick: () => void): ReactNode => (
    <PortalButton variant={isFirst ? 'filled' : 'outlined'} aria-label={name} onClick={onClick}>
      {label}
    </PortalButton>
  )
  if (todo.kind === 'form') {
    const { form } = todo
    const title = form.title[language]
    return (
      <HomeRow
        icon={<ClipboardList />}
        title={title}
        actions={
          form.isStarted
            ? button(t('continue'), t('continueName', { title }), () => onForm(form.id))
            : button(t('start'), t('startName', { title }), () => onForm(form.id))
        }
      >
        {t('formDue', { day: unbroken(formatMediumDay(form.expiresAt, language, timeZone)) })}
      </HomeRow>
    )
  }
  if (todo.kind === 'consent') {
    const { consent } = todo
    const title = consent.title[language]
    return (
      <HomeRow icon={<FilePenLine />} title={title} actions={button(t('sign'), t('signName', { title }), () => onConsent(consent.id))}>
        {consent.needsInitials ? t('consentInitials') : t('consentOpen')}
      </HomeRow>
    )
  }
  if (todo.kind === 'quote') {
    const { quote } = todo
    const title = inLanguage(language, quote.title, quote.titleFr)
    return (
      <HomeRow icon={<FileCheck />} title={title} actions={button(t('review'), t('reviewName', { title }), () => onQuote(quote.id))}>
        {t('quoteUntil', { name: patientQuoteName(quote, language), day: unbroken(formatMediumDay(quote.validUntil, language)) })}
      </HomeRow>
    )
  }
  const { cents, dueCents, dueOn, isBeforeSurgery, payPath } = todo.balance
  const day = unbroken(formatMediumDay(dueOn, language))
  const isOverdue = dueOn < today(clock)
  const isDue = dueOn <= today(clock)
  return (
    <HomeRow
      icon={<CreditCard />}
      title={t('balance', { amount: formatCents(cents, language) })}
      actions={
        payPath && (
          <PayLink path={payPath} variant={isFirst ? 'filled' : 'outlined'} onBack={onPaid}>
            {t('payByCard')}
          </PayLink>
        )
      }
    >
      {dueCents > 0 && dueCents < cents && <p>{t(isDue ? 'dueNow' : 'nextPayment', { amount: formatCents(dueCents, language) })}</p>}
      {isOverdue ? (
        <Overdue>{t('overdue', { day })}</Overdue>
      ) : (
        <p>{t(`${dueOn === today(clock) ? 'dueToday' : 'due'}${isBeforeSurgery ? 'BeforeSurgery' : ''}`, { day })}</p>
      )}
      {!payPath && <p>{t('payHow')}</p>}
    </HomeRow>
  )
}
