import { clsx, type ClassValue } from 'clsx'

/** Utilities of one group set the same property. The first pattern that matches decides; without a name, what it captures is the group. */
const groups: [pattern: RegExp, name?: string][] = [
  [/^(block|inline(-block|-flex|-grid|-table)?|flex|grid|contents|hidden|table(-cell|-row(-group)?)?|list-item)$/, 'display'],
  [/^(static|fixed|absolute|relative|sticky)$/, 'position'],
  [/^(in)?visible$|^collapse$/, 'visibility'],
  [/^(no-underline|underline|overline|line-through)$/, 'decoration'],
  [/^(uppercase|lowercase|capitalize|normal-case)$/, 'case'],
  [/^(?:not-)?(sr-only|italic)$/],
  [/^stroke-\d/, 'stroke-width'],
  [/^text-(left|center|right|justify|start|end)$/, 'text-align'],
  [/^text-(wrap|nowrap|balance|pretty)$/, 'text-wrap'],
  [/^text-(\d?x[sl]|sm|base|md|lg|title|portal|\[[\d.]+\w+\])$/, 'size-of-text'],
  [/^font-(sans|serif|mono)$/, 'family'],
  [/^flex-(row|col)(-reverse)?$/, 'direction'],
  [/^flex-(no)?wrap(-reverse)?$/, 'flex-wrap'],
  [/^(border(?:-[xytrblse])?)(-\d+)?$/],
  [/^border-(solid|dashed|dotted|none)$/, 'border-style'],
  [/^border-(collapse|separate)$/, 'border-model'],
  [/^(border(?:-[xytrblse])?-)/],
  [/^outline(-\d+)?$/, 'outline-width'],
  [/^outline-(none|hidden|solid|dashed)$/, 'outline-style'],
  [/^@container(-size|-normal)?$/, 'container'],
  [/^snap-(x|y|both|none)$/, 'snap'],
  // The name of an arbitrary property, '[overflow-wrap:anywhere]'.
  [/^(\[[\w-]+:)/],
  [/^(bg-(?:clip|linear))-/],
  [
    /^-?((?:scroll-)?[pm][xytrblse]?|(?:m(?:in|ax)-)?[wh]|size|inset(?:-[xy])?(?!-ring)|top|right|bottom|left|z|order|col-(?:span|start|end)|row-(?:span|start|end)|grid-(?:cols|rows)|auto-rows|gap(?:-[xy])?|basis|grow|shrink|flex|items|content|self|justify(?:-items|-self)?|place-items|translate-[xy]|translate|rotate|overflow(?:-[xy])?|overscroll-[xy]|rounded(?:-[trbl])?|bg|fill|stroke|opacity|shadow|brightness|blur|text|font|leading|tracking|line-clamp|whitespace|break(?:-inside|-after)?|hyphens|align|list|columns|object|aspect|underline-offset|outline(?:-offset)?|transition|duration|delay|ease|animate|cursor|pointer-events|select|touch(?!-target)|resize|accent)(?:-|$)/,
  ],
]

/** The groups that a utility of this group replaces as well: `px-2` replaces `pl-1`. */
const replaced: Record<string, string> = {
  p: 'px py pt pr pb pl',
  px: 'pr pl',
  py: 'pt pb',
  m: 'mx my mt mr mb ml',
  mx: 'mr ml',
  my: 'mt mb',
  'scroll-my': 'scroll-mt scroll-mb',
  'scroll-py': 'scroll-pt scroll-pb',
  size: 'w h',
  inset: 'inset-x inset-y top right bottom left',
  'inset-x': 'right left',
  'inset-y': 'top bottom',
  gap: 'gap-x gap-y',
  translate: 'translate-x translate-y',
  overflow: 'overflow-x overflow-y',
  flex: 'basis grow shrink',
  rounded: 'rounded-t rounded-r rounded-b rounded-l',
  border: 'border-x border-y border-t border-r border-b border-l border-s border-e',
  'border-x': 'border-r border-l',
  'border-y': 'border-t border-b',
  'border-': 'border-x- border-y- border-t- border-r- border-b- border-l- border-s- border-e-',
  'border-x-': 'border-r- border-l-',
  'border-y-': 'border-t- border-b-',
  'size-of-text': 'leading',
  'line-clamp': 'display overflow',
}

function groupOf(utility: string): string {
  for (const [pattern, name] of groups) {
    const found = pattern.exec(utility)
    if (found) return name ?? found[1]!
  }
  return utility
}

/** 'md:hover:' of 'md:hover:px-2!', 'px-2', and whether it is important. A colon in brackets belongs to the value. */
const parts = /^((?:(?:\[[^\]]*\]|\([^)]*\)|[^[(:])*:)*)(.*?)(!?)$/

/** The groups that a class name sets, each with its variants: its own one, then those that it replaces. */
const settings = new Map<string, string[]>()

function settingsOf(name: string): string[] {
  let known = settings.get(name)
  if (!known) {
    const [, variants = '', utility = '', important = ''] = parts.exec(name)!
    const group = groupOf(utility)
    known = [group, ...(replaced[group]?.split(' ') ?? [])].map((one) => important + variants + one)
    settings.set(name, known)
  }
  return known
}

function merge(list: string): string {
  const set = new Set<string>()
  const kept = list
    .split(/\s+/)
    .toReversed()
    .filter((name) => {
      const [group, ...others] = settingsOf(name) as [string, ...string[]]
      if (set.has(group)) return false
      for (const one of [group, ...others]) set.add(one)
      return true
    })
  return kept.toReversed().join(' ')
}

/** The rows of a list have the same class names, again and again. */
const merged = new Map<string, string>()

/**
 * Joins class names. Of two utilities that set the same property under the same variants, the later one stays, so that a caller can change what
 * a component sets. Does what tailwind-merge does, for the utilities that the screens use (cn.test.ts compares the two); the library knows every
 * utility of Tailwind, which would be a tenth of the code of the sign-in page.
 */
export function cn(...inputs: ClassValue[]): string {
  const list = clsx(inputs)
  const known = merged.get(list)
  if (known !== undefined) return known
  if (merged.size >= 1_000) merged.clear()
  const result = merge(list)
  merged.set(list, result)
  return result
}
