export const SAME: { page: string; zh: string; addresses: { href: string; because: string }[] }[];
export const DIFFERENT: { one: string; other: string; because: string }[];
