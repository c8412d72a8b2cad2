import { CircleAlert } from 'lucide-react'
import { useId } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import type { PhotoScope } from '../../definition-rules.ts'
import type { ConsentText } from '../../rules.ts'
import { consentTexts } from '../../texts.ts'
import { signingTexts } from './texts.ts'

interface ConsentClausesProps {
  text: ConsentText
  /** By clause. */
  initials: Readonly<Record<string, string>>
  /** Not given where nothing can be signed. */
  onInitial?: (clauseId: string) => void
  /** Marks the initials that are missing, once someone has tried to sign. */
  showsMissing?: boolean
  /** Null: nothing was chosen yet. */
  scopes: readonly PhotoScope[] | null
  onScopes?: (scopes: PhotoScope[]) => void
}

/** Where the page scrolls to for what is missing. */
export const clauseElement = (clauseId: string): string => `clause-${clauseId}`
export const scopesElement = 'consent-scopes'

/** What a consent form says: whom it is about, its clauses with their initials, and the uses of photos. */
export function ConsentClauses({ text, initials, onInitial, showsMissing = false, scopes, onScopes }: ConsentClausesProps) {
  const t = signingTexts[text.language]
  const chosen = scopes ?? []
  const next = text.clauses.find(({ id, needsInitials }) => needsInitials && !initials[id])
  const facts = [text.patientName, text.birthDate && t('born', { day: text.birthDate }), text.provider, text.surgeryDate]
  return (
    <div lang={text.language}>
      <p className="pb-4 text-title wrap-anywhere text-fg-2">{facts.filter(Boolean).join(' · ')}</p>
      {text.intro && <p className="border-t border-line py-4 whitespace-pre-line">{text.intro}</p>}
      <ol>
        {text.clauses.map(({ id, title, text: words, needsInitials }) => (
          <li key={id} id={clauseElement(id)} className="flex gap-4 border-t border-line py-4 max-md:flex-col md:gap-6">
            <p className="min-w-0 flex-1 whitespace-pre-line [overflow-wrap:anywhere]">
              <span className="font-semibold">{title}.</span> {words}
              {/* For the page, to know when it was shown. */}
              <span data-clause-end={id} />
            </p>
            {needsInitials &&
              (onInitial ? (
                <Initials
                  title={title}
                  value={initials[id] ?? ''}
                  isNext={next?.id === id}
                  isMissing={showsMissing && !initials[id]}
                  onClick={() => onInitial(id)}
                  language={text.language}
                />
              ) : (
                <p className="max-w-28 flex-none text-right max-md:max-w-full max-md:text-left">
                  {initials[id] ? (
                    <span className="font-semibold text-success-fg italic">{initials[id]}</span>
                  ) : (
                    <span className="text-sm text-fg-3">{t('toInitial')}</span>
                  )}
                </p>
              ))}
          </li>
        ))}
      </ol>
      {text.scopes.length > 0 && !onScopes && <ChosenScopes text={text} scopes={scopes} />}
      {text.scopes.length > 0 && onScopes && (
        <fieldset id={scopesElement} className="border-t border-line py-4">
          <legend className="float-left w-full pb-1 font-semibold">{t('uses')}</legend>
          <p className="clear-both pb-2 text-title text-fg-2">{t('usesHint')}</p>
          {text.scopes.map(({ scope, label }) => (
            <label key={scope} className="flex min-h-12 items-center gap-3">
              <Checkbox
                large
                checked={chosen.includes(scope)}
                onCheckedChange={(isChosen) => onScopes(isChosen ? [...chosen, scope] : chosen.filter((one) => one !== scope))}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      )}
    </div>
  )
}

/** The uses of photos that are asked for, each with what was chosen. */
function ChosenScopes({ text, scopes }: Pick<ConsentClausesProps, 'text' | 'scopes'>) {
  const t = consentTexts[text.language]
  return (
    <div className="border-t border-line py-4">
      <p className="pb-1 font-semibold">{t('pdf.uses')}</p>
      <dl>
        {text.scopes.map(({ scope, label }) => {
          const isChosen = scopes?.includes(scope) ?? null
          return (
            <div key={scope} className="flex items-center gap-4 py-1.5">
              <dt className="min-w-0 flex-1">{label}</dt>
              <dd className={cn('flex-none font-medium', isChosen ? 'text-success-fg' : 'text-fg-2')}>
                {isChosen === null ? null : isChosen ? t('pdf.agreed') : t('pdf.refused')}
              </dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}

interface InitialsProps {
  title: string
  value: string
  /** The first that is missing. */
  isNext: boolean
  isMissing: boolean
  onClick: () => void
  language: ConsentText['language']
}

function Initials({ title, value, isNext, isMissing, onClick, language }: InitialsProps) {
  const t = signingTexts[language]
  const problemId = useId()
  return (
    <div className="flex w-29 flex-none flex-col gap-1.5 self-start max-md:w-full">
      <button
        type="button"
        aria-pressed={value !== ''}
        aria-label={value === '' ? t('initialClause', { title }) : `${value}, ${t('removeInitials', { title })}`}
        aria-describedby={isMissing ? problemId : undefined}
        onClick={onClick}
        className={cn(
          'flex h-17 w-full items-center justify-center rounded-lg border px-3 text-center text-title leading-snug',
          value !== ''
            ? 'border-success-line bg-success-soft text-xl font-semibold text-success-fg italic'
            : isMissing
              ? 'border-danger bg-danger-soft text-danger-fg'
              : isNext
                ? 'border-accent bg-raised text-fg'
                : 'border-line-control bg-raised text-fg-2',
        )}
      >
        {value === '' ? t('tapToInitial') : value}
      </button>
      {isMissing && (
        <p id={problemId} className="flex gap-1.5 text-md font-medium text-danger-fg">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4! flex-none" />
          {t('left.clause')}
        </p>
      )}
    </div>
  )
}
