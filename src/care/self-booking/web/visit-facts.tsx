import { formatCents, type Language } from '../../../shared/translations.ts'
import type { Visit } from './calls.ts'
import { bookingTexts } from './texts.ts'

/** '$150.00'; null: it is not shown. */
export const priceOf = ({ priceCents }: Visit, language: Language): string | null =>
  priceCents === null ? null : formatCents(priceCents, language)

/** What has to be paid or left with the booking; null: nothing. */
export function depositOf({ depositCents, depositKind }: Visit, language: Language): string | null {
  const t = bookingTexts[language]
  if (depositCents > 0) return t('depositNow', { amount: formatCents(depositCents, language) })
  return depositKind === 'card' ? t('cardNow') : null
}

/** Facts side by side, none of which is broken over two lines if it fits on one. A dot that would begin a line is cut off. */
export const InLine = ({ parts }: { parts: readonly (string | null)[] }) => (
  <span className="block overflow-hidden">
    <span className="-ml-4 flex flex-wrap">
      {parts
        .filter((part) => part !== null)
        .map((part) => (
          <span key={part} className="flex">
            <span aria-hidden="true" className="w-4 flex-none text-center">
              ·
            </span>{' '}
            {part}
          </span>
        ))}
    </span>
  </span>
)
