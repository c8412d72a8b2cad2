import { formatCount } from '../../../ui/format.ts'

interface CountsProps {
  title: string
  counts: { label: string; count: number; note?: string | undefined }[]
}

/** A list of labelled counts. */
export function Counts({ title, counts }: CountsProps) {
  return (
    <section>
      <h2 className="pb-2 text-md font-semibold">{title}</h2>
      <dl className="max-w-140 border-t border-line">
        {counts.map(({ label, count, note }) => (
          <div key={label} className="flex min-h-11 items-center justify-between gap-4 border-b border-line py-2 text-sm">
            <dt>
              {label}
              {note && <span className="block text-xs text-fg-3">{note}</span>}
            </dt>
            <dd className="font-medium tabular-nums">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
