/**
 * Whether a text only says that the rest is still to come. The word alone, or with a few more and dots: "Loading…", "Loading your
 * data...", "加载中"; not "Loading dock 4".
 */
const LOADING =
  /^(?:(?:still |now )?(?:loading|fetching|initiali[sz]ing|connecting|preparing)(?:(?: [\p{L}']+){0,5} ?(?:\.{2,}|…)|\.?)|(?:please )?wait(?:ing)?(?: [\p{L}']+){0,4}(?:\.{2,}|…)|please wait\.?|(?:just a|one) (?:moment|sec(?:ond)?)(?:,? please)?(?:\.+|…|!)?|(?:正在|努力)?(?:加载|加載|载入|載入|读取|讀取|获取|初始化)(?:数据|數據|页面|頁面|内容)?中?(?:[，,]?请稍[候等后])?(?:\.+|…+|。+)?|请稍[候等后](?:\.+|…+|。+)?|読み込み中(?:です)?(?:\.+|…+|。+)?)$/iu;

export function isLoading(text: string): boolean {
  return text.length <= 60 && LOADING.test(text);
}
