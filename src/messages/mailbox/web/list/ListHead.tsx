import { ChevronDown, PenLine } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { type Hotkey, useHotkeys } from '../../../../ui/hooks/hotkeys.ts'
import { SearchInput } from '../../../../ui/controls/SearchInput.tsx'
import { useSearchTerm } from '../../../../ui/hooks/useSearchTerm.ts'
import type { EmailSearch } from '../email-search.ts'
import { folderName } from '../folders/folder-labels.ts'
import type { FolderRow } from '../mailbox-data.ts'

interface ListHeadProps {
  search: EmailSearch
  folder: FolderRow | null
  onChange: (part: EmailSearch, replace?: boolean) => void
  /** Where the folders do not fit next to the list. */
  onFolders: (() => void) | undefined
  onCompose: (() => void) | undefined
}

/** Search, folder and unread filter. */
export function ListHead({ search, folder, onChange, onFolders, onCompose }: ListHeadProps) {
  const input = useRef<HTMLInputElement>(null)
  const isDrafts = search.show === 'drafts'
  const [term, setTerm] = useSearchTerm(search.search ?? '', (entered) =>
    onChange({ search: entered || undefined, ...(isDrafts ? { show: undefined } : {}) }, search.search !== undefined && entered !== ''),
  )
  useHotkeys(useMemo<Hotkey[]>(() => [{ keys: '/', label: 'Search the list', group: 'Lists', run: () => input.current?.focus() }], []))
  const name = search.search !== undefined ? 'All email' : isDrafts ? 'Drafts' : folder ? folderName(folder) : 'Inbox'
  const isUnread = search.show === 'unread'
  return (
    <>
      <div role="search" className="flex flex-none items-center gap-1 p-2.5 pb-1">
        <SearchInput
          ref={input}
          label="Search your email"
          keyHint="/"
          placeholder="Search your email"
          value={term}
          onValueChange={setTerm}
          maxLength={200}
          className="min-w-0 flex-1"
        />
        {onCompose && <IconButton label="New email" keys="c" icon={<PenLine />} onClick={onCompose} />}
      </div>
      <div className="flex h-11 flex-none items-center justify-between gap-2 border-b border-line pr-2.5 pl-4 md:h-10">
        <h2 className="flex min-w-0 text-sm font-semibold text-fg">
          {onFolders ? (
            <Button
              size="sm"
              variant="quiet"
              aria-haspopup="dialog"
              className="-ml-2.5 min-w-0 shrink font-semibold text-fg"
              onClick={onFolders}
            >
              <span className="truncate">{name}</span>
              <ChevronDown className="size-3.5!" />
              <span className="sr-only">, choose a folder</span>
            </Button>
          ) : (
            <span className="truncate">{name}</span>
          )}
        </h2>
        {!isDrafts && (
          <Button
            size="sm"
            variant="quiet"
            aria-pressed={isUnread}
            className={cn(isUnread && 'bg-accent-soft text-accent-fg')}
            onClick={() => onChange({ show: isUnread ? undefined : 'unread' })}
          >
            Unread
          </Button>
        )}
      </div>
    </>
  )
}
