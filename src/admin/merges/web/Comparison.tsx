import { Link } from '@tanstack/react-router'
import { fieldLabels, type MergeField, mergeColumnsOf } from '../../../crm/contacts/derived-fields.ts'
import type { ContactData } from '../../../crm/contacts/web/embed/contact-data.ts'
import { fullName } from '../../../crm/contacts/web/embed/contact-data.ts'
import type { Directory } from '../../../crm/contacts/web/embed/directory.ts'
import { formatFieldValue, nothing } from '../../../crm/contacts/web/embed/field-labels.ts'
import { Avatar } from '../../../ui/display/Avatar.tsx'
import { cn } from '../../../ui/cn.ts'
import { type Clock, formatShortDate } from '../../../ui/format.ts'
import type { Side } from '../rules.ts'
import { radioId } from './useMergeKeys.ts'

interface ComparisonProps {
  target: ContactData
  source: ContactData
  /** The fields that differ, with the side each is taken from. */
  sides: ReadonlyMap<MergeField, Side>
  onChoose: (field: MergeField, side: Side) => void
  directory: Directory
  clock: Clock
}

const columns = 'md:grid md:grid-cols-[10rem_minmax(0,1fr)_minmax(0,1fr)] md:gap-x-4'

/** Both patients side by side, the kept one on the left, with a choice for each field that differs. */
export function Comparison({ target, source, sides, onChoose, directory, clock }: ComparisonProps) {
  return (
    <div>
      {/* Sticky, so that the column headings stay visible while scrolling. */}
      <div
        className={cn(
          columns,
          'z-(--z-sticky) bg-surface pb-3 max-md:flex max-md:flex-col max-md:gap-3 md:sticky md:-top-5 md:border-b md:border-line md:pt-3 md:[&+fieldset]:border-t-0',
        )}
      >
        <PatientHeading contact={target} label="Keep" clock={clock} className="md:col-start-2" />
        <PatientHeading contact={source} label="Merge and delete" clock={clock} />
      </div>
      {[...sides].map(([field, side]) => (
        <fieldset
          key={field}
          data-field={field}
          className={cn(columns, 'scroll-mt-24 scroll-mb-16 items-stretch border-t border-line py-1.5')}
        >
          <legend className="float-left w-full py-1.5 text-sm text-fg-2 md:w-auto">{fieldLabels[field]}</legend>
          {(['target', 'source'] as const).map((choice) => (
            <Choice
              key={choice}
              field={field}
              side={choice}
              isChosen={side === choice}
              text={formatValue(choice === 'target' ? target : source, field, directory, clock)}
              owner={fullName(choice === 'target' ? target : source)}
              onChoose={onChoose}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

function PatientHeading({ contact, label, clock, className }: { contact: ContactData; label: string; clock: Clock; className?: string }) {
  return (
    <div className={cn('flex min-w-0 items-center gap-3 md:px-2.5', className)}>
      <Avatar kind="patient" size="lg" firstName={contact.firstName} lastName={contact.lastName} />
      <div className="min-w-0">
        <p className="text-xs text-fg-3">{label}</p>
        {/* Opens in a new tab, so that the choices are not lost. */}
        <Link
          to="/contacts/$id"
          params={{ id: contact.id }}
          target="_blank"
          className="block rounded-xs text-md font-semibold break-words text-fg hover:underline"
        >
          {fullName(contact)}
        </Link>
        <p className="text-xs text-fg-2">Added {formatShortDate(contact.createdAt, clock)}</p>
      </div>
    </div>
  )
}

interface ChoiceProps {
  field: MergeField
  side: Side
  isChosen: boolean
  text: string
  owner: string
  onChoose: (field: MergeField, side: Side) => void
}

function Choice({ field, side, isChosen, text, owner, onChoose }: ChoiceProps) {
  const isEmpty = text === nothing
  return (
    <label
      htmlFor={radioId(field, side)}
      className={cn(
        'flex min-h-11 cursor-default gap-2.5 rounded-md px-2.5 py-2.5 text-sm md:min-h-8 md:py-1.5',
        isChosen ? 'bg-selected text-fg' : 'text-fg-2 hover:bg-hover',
      )}
    >
      <input
        id={radioId(field, side)}
        type="radio"
        name={`merge-${field}`}
        checked={isChosen}
        onChange={() => onChoose(field, side)}
        className="mt-0.5 size-4 flex-none appearance-none rounded-full border border-line-control bg-raised checked:border-5 checked:border-accent"
      />
      <span className="sr-only">{owner}: </span>
      <span className={cn('block max-h-40 min-w-0 flex-1 overflow-y-auto break-words whitespace-pre-wrap', isEmpty && 'text-fg-3')}>
        {text}
      </span>
    </label>
  )
}

/** The first filled column of a field: the primary email or phone; for a reference its id, else the free text. */
function formatValue(contact: ContactData, field: MergeField, directory: Directory, clock: Clock): string {
  const columns: readonly (keyof ContactData)[] = field === 'email' || field === 'phone' ? [field] : mergeColumnsOf(field)
  return formatFieldValue(field, columns.map((column) => contact[column]).find((value) => value !== null) ?? null, directory, clock)
}
