import { useState } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { RichTextField } from '../../../../ui/rich-text/RichText.tsx'
import { textOfWritten } from '../../../../platform/mail/written-rules.ts'
import { htmlFromText } from '../../../email-templates/rules.ts'
import { SignatureLine } from '../../../signatures/web/embed/SignatureLine.tsx'
import { mailLimits } from '../../rules.ts'
import { RecipientsField } from './RecipientsField.tsx'
import type { ComposerState } from './useComposer.ts'

/** The To, Cc and Bcc lines of a draft. */
export function RecipientLines({ composer }: { composer: ComposerState }) {
  const { recipients, isChecked, isUnavailable, change } = composer
  const { words } = composer.view
  const { lines, typed } = recipients
  return lines.map((line) => (
    <RecipientsField
      key={line}
      line={{ label: { to: 'To', cc: 'Cc', bcc: 'Bcc' }[line], people: words[line], typed: typed[line] }}
      disabled={isUnavailable}
      autoFocus={recipients.lastOpened === line}
      isChecked={isChecked}
      error={isChecked && line === 'to' ? composer.recipientError : undefined}
      onTyped={(text) => recipients.setText(line, text)}
      onChange={(people) => change({ [line]: people })}
      aside={
        line === 'to' &&
        (['cc', 'bcc'] as const)
          .filter((other) => !lines.includes(other))
          .map((other) => (
            <Button key={other} size="sm" variant="quiet" onClick={() => recipients.open(other)}>
              {{ cc: 'Cc', bcc: 'Bcc' }[other]}
            </Button>
          ))
      }
    />
  ))
}

/** The subject line of a draft. */
export function SubjectField({ composer: { view, isUnavailable, change } }: { composer: ComposerState }) {
  const { id, words } = view
  return (
    <div className="flex items-center gap-2 border-b border-line px-4">
      <label htmlFor={`${id}subject`} className="w-14 flex-none py-2.5 text-sm text-fg-3 md:py-2">
        Subject
      </label>
      <input
        id={`${id}subject`}
        type="text"
        maxLength={mailLimits.subject}
        disabled={isUnavailable}
        value={words.subject}
        onChange={({ target }) => change({ subject: target.value })}
        className="h-10 min-w-0 flex-1 bg-transparent text-lg text-fg outline-none md:h-8 md:text-md"
      />
    </div>
  )
}

/** The text of a draft, and the signature below it. */
export function BodyField({ composer: { view, isUnavailable, change }, isFoot }: { composer: ComposerState; isFoot: boolean }) {
  const { html, text, to, withSignature } = view.words
  // A new message to a known recipient starts in the text.
  const [startsHere] = useState(to.length > 0)
  return (
    <div className="flex flex-1 flex-col has-[[contenteditable]:focus-visible]:shadow-[inset_0_0_0_2px_var(--field-ring)]">
      <RichTextField
        label="Your email"
        html={html ?? (text === '' ? '' : htmlFromText(text))}
        onChange={(next) => change({ html: next === '' ? null : next, text: textOfWritten(next) })}
        disabled={isUnavailable}
        autoFocus={startsHere}
        className={cn('px-4 py-3 text-lg text-fg md:text-md', isFoot ? 'min-h-28' : 'min-h-60')}
      />
      <SignatureLine language="en" isLeftOut={!withSignature} onChange={(isLeftOut) => change({ withSignature: !isLeftOut })} />
    </div>
  )
}
