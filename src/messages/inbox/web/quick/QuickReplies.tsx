import { useQuery } from '@tanstack/react-query'
import { Zap } from 'lucide-react'
import { useId, useState } from 'react'
import { languageNames } from '../../../../shared/translations.ts'
import { orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { SearchInput } from '../../../../ui/controls/SearchInput.tsx'
import { cn } from '../../../../ui/cn.ts'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Popover } from '../../../../ui/overlays/Popover.tsx'
import type { QuickReplyData } from '../inbox-data.ts'
import { findReplies, searchAfterSlash } from './find.ts'

/** The language of quick replies to a patient, or to someone unknown. */
export function useReplyLanguage(contactId: string | null): string {
  const { data } = useQuery(orpc.contacts.get.queryOptions({ input: { id: contactId ?? '' }, enabled: contactId !== null }))
  return data?.preferredLanguage ?? 'en'
}

interface QuickRepliesProps {
  language: string
  onInsert: (text: string) => void
}

/** The button that offers the practice's short answers. */
export function QuickReplies({ language, onInsert }: QuickRepliesProps) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label="Quick replies"
      side="top"
      align="start"
      control={{ open, onOpenChange: setOpen }}
      trigger={
        <Button variant="quiet" icon={<Zap />}>
          <span className="max-md:sr-only">Quick replies</span>
        </Button>
      }
      className="w-96"
    >
      <Choice
        language={language}
        onChoose={(text) => {
          setOpen(false)
          onInsert(text)
        }}
      />
    </Popover>
  )
}

function Choice({ language, onChoose }: { language: string; onChoose: (text: string) => void }) {
  const [term, setTerm] = useState('')
  const replies = useQuery(orpc.inbox.quickReplies.queryOptions())
  const found = findReplies(replies.data ?? [], term, language)
  return (
    <div className="flex flex-col gap-2">
      <SearchInput label="Find a quick reply" placeholder="Name or words" value={term} onValueChange={setTerm} />
      {found.length > 0 ? (
        <ul aria-label="Quick replies" className="max-h-72 overflow-y-auto">
          {found.map((reply) => (
            <li key={reply.id}>
              <button
                type="button"
                onClick={() => onChoose(reply.text)}
                className="w-full rounded-sm px-2 py-1.5 text-left outline-offset-[-2px] hover:bg-hover"
              >
                <Line reply={reply} />
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="px-2 py-1 text-sm text-fg-2">
          {replies.isPending
            ? 'Loading…'
            : replies.error
              ? 'Couldn’t load quick replies.'
              : term
                ? 'No quick reply matches.'
                : 'No quick replies yet. Add them under Settings, Email and text templates.'}
        </p>
      )}
    </div>
  )
}

function Line({ reply: { name, text, language } }: { reply: QuickReplyData }) {
  return (
    <>
      <span className="flex items-center gap-2 text-sm font-medium text-fg">
        <span className="min-w-0 truncate">{name}</span>
        <Badge>{languageNames[language]}</Badge>
      </span>
      <span className="block truncate text-xs text-fg-3">{text}</span>
    </>
  )
}

/** While a slash is typed: the replies that it finds, and the keys that choose one. `list`: for above the text area. Null: no slash is typed. */
export function useSlash(text: string, language: string, onInsert: (text: string) => void) {
  const id = useId()
  const search = searchAfterSlash(text)
  const replies = useQuery(orpc.inbox.quickReplies.queryOptions({ enabled: search !== null }))
  const [at, setAt] = useState(0)
  const found = search === null ? [] : findReplies(replies.data ?? [], search, language).slice(0, 6)
  if (found.length === 0) return null
  const current = Math.min(at, found.length - 1)
  const optionId = (index: number) => `${id}-${index}`
  return {
    field: { role: 'combobox', 'aria-expanded': true, 'aria-controls': id, 'aria-activedescendant': optionId(current) } as const,
    /** True: the key was for the list. */
    onKey(key: string): boolean {
      if (key === 'ArrowDown') setAt((current + 1) % found.length)
      else if (key === 'ArrowUp') setAt((current + found.length - 1) % found.length)
      else if (key === 'Enter' || key === 'Tab') onInsert(found[current]!.text)
      else return false
      return true
    },
    list: (
      <div id={id} role="listbox" aria-label="Quick replies" className="mx-2 mt-2 rounded-md border border-line bg-raised p-1 shadow-md">
        {found.map((reply, index) => (
          <div
            key={reply.id}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onPointerDown={(event) => {
              event.preventDefault()
              onInsert(reply.text)
            }}
            className={cn('cursor-default rounded-sm px-2 py-1.5', index === current && 'bg-selected')}
          >
            <Line reply={reply} />
          </div>
        ))}
      </div>
    ),
  }
}
