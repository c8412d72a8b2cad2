import { ArrowLeftRight, ListPlus } from 'lucide-react'
import { useState, type RefObject } from 'react'
import { fullName } from '../../../crm/contacts/web/embed/contact-data.ts'
import { useDirectory } from '../../../crm/contacts/web/embed/useDirectory.ts'
import type { Client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { Keys } from '../../../ui/display/Kbd.tsx'
import { type MergeField, mergeFieldNames } from '../../../crm/contacts/derived-fields.ts'
import { differs, type MergeChoices, missingFields, type Side, undoDays, defaultSide } from '../rules.ts'
import { Comparison } from './Comparison.tsx'
import { formatMoves } from './format-moves.ts'
import { useMerge } from './useMerge.ts'
import { useMergeKeys } from './useMergeKeys.ts'

export type Preview = Awaited<ReturnType<Client['contacts']['mergePreview']>>

interface MergeFormProps {
  preview: Preview
  /** True from submission on, unless it fails. */
  mergingRef: RefObject<boolean>
  /** Called when the displayed data is out of date. */
  onStale: () => void
}

/** The choices, what moves, and the merge button. */
export function MergeForm({ preview: { target, source, moves, isConsentWithdrawn }, mergingRef, onStale }: MergeFormProps) {
  const merge = useMerge({ target, source, mergingRef, onStale })
  const directory = useDirectory()
  const clock = useClock()
  const [choices, setChoices] = useState<MergeChoices>({})
  const [keepAddresses, setKeepAddresses] = useState(true)

  const sideOf = (field: MergeField): Side => choices[field] ?? defaultSide(target, source, field)
  const isChoosable = (field: MergeField) => differs(target, source, field) && !(isConsentWithdrawn && field === 'consentToCommunicate')
  const sides = new Map(mergeFieldNames.filter(isChoosable).map((field) => [field, sideOf(field)]))
  const missing = missingFields(target, source).filter((field) => sideOf(field) === 'target')
  const choose = (field: MergeField, side: Side) => setChoices({ ...choices, [field]: side })
  const submit = () => merge.submit(Object.fromEntries(sides), keepAddresses)

  useMergeKeys({
    fields: [...sides.keys()],
    choose: (field, side) => choose(field as MergeField, side),
    swap: merge.swap,
    merge: () => void submit(),
  })

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-4 md:px-6 md:py-5">
        <div className="max-w-240">
          <div className="flex flex-wrap gap-2 pb-4">
            <Button icon={<ArrowLeftRight />} onClick={merge.swap}>
              Swap
            </Button>
            {missing.length > 0 && (
              <Button
                icon={<ListPlus />}
                onClick={() => setChoices({ ...choices, ...Object.fromEntries(missing.map((field) => [field, 'source' as const])) })}
              >
                Fill empty fields
              </Button>
            )}
          </div>
          <Comparison target={target} source={source} sides={sides} onChoose={choose} directory={directory} clock={clock} />
          {isConsentWithdrawn && (
            <p className="border-t border-line pt-3 text-sm text-fg-2">
              Consent to commercial email was withdrawn, so the merged patient has none. Record express consent to restore it.
            </p>
          )}
          <Outcome
            moves={moves}
            equalCount={mergeFieldNames.length - sides.size}
            sourceName={fullName(source)}
            targetName={fullName(target)}
          />
          {hasAdditionalAddresses(target, source) && (
            <CheckboxLine
              checked={keepAddresses}
              onCheckedChange={setKeepAddresses}
              hint="They are saved as additional, so that searches find the patient by them."
              className="pt-4"
            >
              Keep {fullName(source)}’s emails and phones
            </CheckboxLine>
          )}
        </div>
      </div>
      <MergeFooter isPending={merge.isPending} onCancel={merge.cancel} onMerge={() => void submit()} />
    </div>
  )
}

interface MergeFooterProps {
  isPending: boolean
  onCancel: () => void
  onMerge: () => void
}

function MergeFooter({ isPending, onCancel, onMerge }: MergeFooterProps) {
  return (
    <footer className="flex flex-none items-center justify-end gap-2 border-t border-line px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
      <Button size="lg" disabled={isPending} onClick={onCancel}>
        Cancel
      </Button>
      <Button size="lg" variant="filled" busy={isPending} busyLabel="Merging…" onClick={onMerge} className="max-md:flex-1">
        Merge patients
      </Button>
      <Keys keys="m" className="max-md:hidden" />
    </footer>
  )
}

/** Whether the source has an email or phone that the target does not have. */
function hasAdditionalAddresses(target: Preview['target'], source: Preview['source']): boolean {
  const known = new Set([target.email, ...target.otherEmails, target.phone, ...target.otherPhones].map((address) => address?.toLowerCase()))
  return [source.email, ...source.otherEmails, source.phone, ...source.otherPhones].some(
    (address) => address !== null && !known.has(address.toLowerCase()),
  )
}

interface OutcomeProps {
  moves: Preview['moves']
  /** How many fields are equal in both. */
  equalCount: number
  sourceName: string
  targetName: string
}

/** Describes the other effects of the merge. */
function Outcome({ moves, equalCount, sourceName, targetName }: OutcomeProps) {
  const moved = formatMoves(moves, 'moved')
  const dropped = formatMoves(moves, 'dropped')
  return (
    <section aria-label="Other effects of the merge" className="border-t border-line pt-4 text-sm text-fg-2">
      <p className="pb-3 text-fg-3">{equalCount} other fields are the same for both.</p>
      <ul className="flex list-disc flex-col gap-1 pl-4 marker:text-fg-3">
        <li>
          {moved ? (
            <>
              <strong className="font-medium text-fg">{moved}</strong> move from {sourceName} to {targetName}.
            </>
          ) : (
            `${sourceName} has no timeline, tags or lead forms to move.`
          )}
          {dropped && ` ${dropped} already exist there.`}
        </li>
        <li>
          {sourceName} is deleted. You can undo the merge for {undoDays} days.
        </li>
      </ul>
    </section>
  )
}
