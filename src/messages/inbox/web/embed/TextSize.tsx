import { cn } from '../../../../ui/cn.ts'
import { maxTextLength, sizeOfText } from '../../text-rules.ts'

/** How many characters a text has, and how many segments it is charged as, while it is typed. */
export function TextSize({ text, className }: { text: string; className?: string }) {
  const { encoding, segments, left } = sizeOfText(text)
  const count = segments === 1 ? '1 segment' : `${segments} segments`
  const why = encoding === 'UCS-2' ? ' An emoji or an accent such as ê makes segments shorter.' : ''
  return (
    <p className={cn('text-xs text-fg-3 tabular-nums', className)}>
      {text === ''
        ? `Up to ${maxTextLength.toLocaleString('en-CA')} characters. Leave out clinical details: others may see the phone.`
        : `${text.length.toLocaleString('en-CA')} characters · ${count}, ${left} left.${why}`}
    </p>
  )
}
